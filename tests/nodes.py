"""Nodes of the program as tests write them: from nowhere, nothing said but what matters."""
from s2s.errors import NOWHERE
from s2s.transforms.ir import program


def Function(name, params, body):
    return program.Function(name, params, body, NOWHERE, "", None, derived=False)


def Block(nodes, results=()):
    return program.Block(nodes, results)


def Equation(outs, primitive, ins, **params):
    return program.Equation(outs, primitive, ins, params, NOWHERE)


def For(outs, index, lo, hi, step, carry, init, body):
    return program.For(outs, index, lo, hi, step, carry, init, body, NOWHERE, reverse=False)


def While(outs, carry, init, test, body):
    return program.While(outs, carry, init, test, body, NOWHERE)


def If(outs, test, then, orelse):
    return program.If(outs, test, then, orelse, NOWHERE)


def Map(outs, index, size, body):
    return program.Map(outs, index, size, body, NOWHERE)


def Call(outs, function, ins):
    return program.Call(outs, function, ins, NOWHERE)


def Check(test, exception, message):
    return program.Check(test, exception, message, (), stretch=False, where=NOWHERE, late=False)
