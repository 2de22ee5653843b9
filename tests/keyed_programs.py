# ruff: noqa: B006, B007, B008, B023, B905, E225, E231, E701, E702, E731, E741, E703, PIE800, PIE804, TRY301, ARG001, D, FURB, PERF, PLR, PLW, RUF, SIM, UP, C4, I, B, S, FLY, A001
"""Programs with dicts and sets whose keys only the run knows, and with results as long as the run makes them: f(x, y, n) of five numbers, a float and a small int."""
import copy
import enum
import functools
import heapq
import itertools
import math
import operator
from collections import Counter, OrderedDict, defaultdict, deque
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

# ---- dicts and sets

def count_ints(x,y,n):
    counts={}
    for i in range(n):
        k=(i*7+3)%4
        counts[k]=counts.get(k,0)+1
    total=0
    for k,v in counts.items(): total+=k*v
    return total,len(counts)

def counter_dd(x,y,n):
    hist=defaultdict(int)
    for i in range(n):
        hist[int(x[i%5]*2)]+=1
    best=0
    for k in hist:
        best = max(best, hist[k])
    return best

def memo_fib(x,y,n):
    memo={0:0.0,1:y}
    def fib(k):
        if k in memo: return memo[k]
        r=fib(k-1)+fib(k-2)
        memo[k]=r
        return r
    return fib(6)

def memo_table(x,y,n):
    memo={}
    memo[0]=1.0
    for i in range(1,n+1):
        memo[i]=memo[i-1]*y+i
    return memo[n]

def dok_matvec(x,y,n):
    A={}
    for i in range(n):
        A[i,i]=2.0+y
        if i+1<n:
            A[i,i+1]=-1.0
            A[i+1,i]=-1.0
    out=np.zeros(n)
    v=np.ones(n)
    for (i,j),a in A.items():
        out[i]+=a*v[j]
    return out

def dok_accumulate(x,y,n):
    A={}
    for e in range(n):
        for a in range(2):
            for b in range(2):
                key=(e+a,e+b)
                A[key]=A.get(key,0.0)+(y if a==b else -y)
    K=np.zeros((n+1,n+1))
    for (i,j),v in A.items(): K[i,j]=v
    return K

def dist_dict(x,y,n):
    dist={0:0.0}
    pq=[(0.0,0)]
    while pq:
        d,u=heapq.heappop(pq)
        if d>dist.get(u,math.inf): continue
        for v,w in ((u+1,1.0+abs(y)),(u+2,1.5)):
            if v<=n and d+w<dist.get(v,math.inf):
                dist[v]=d+w
                heapq.heappush(pq,(d+w,v))
    return dist[n]

def bfs_visited(x,y,n):
    visited={0}
    q=deque([0]); order=[]
    while q:
        u=q.popleft(); order.append(u)
        for v in ((2*u+1)%(n+2),(2*u+2)%(n+2)):
            if v not in visited:
                visited.add(v); q.append(v)
    return order,len(visited)

def dict_pop(x,y,n):
    d={}
    for i in range(n): d[i]=x[i%5]*y
    if 2 in d: a=d.pop(2)
    else: a=0.0
    return a+sum(d.values())

def dict_comp(x,y,n):
    d={i: x[i%5]**2 for i in range(n)}
    return sum(d[k] for k in d), max(d.values())

def dict_return(x,y,n):
    d={}
    for i in range(n): d[i*10]=x[i%5]
    return d

def cached_hash(x,y,n):
    cache={}
    hits=0; s=0.0
    for i in range(n):
        k=i*i%5
        if k in cache:
            hits+=1; s+=cache[k]
        else:
            cache[k]=math.exp(-k*y); s+=cache[k]
    return hits,s

def union_find(x,y,n):
    parent={i:i for i in range(n+1)}
    def find(a):
        while parent[a]!=a: a=parent[a]
        return a
    for i in range(0,n-1,2):
        parent[find(i)]=find(i+1)
    return sum(1 for i in range(n+1) if find(i)==i)

def sorted_dict(x,y,n):
    d={}
    for i in range(n): d[(i*3)%7]=x[i%5]
    out=[]
    for k in sorted(d): out.append(d[k])
    return np.array(out)

def dict_del(x,y,n):
    d={}
    for i in range(n): d[i]=x[i%5]
    for k in list(d):
        if d[k]<0: del d[k]
    return len(d), sum(d.values())

def coins(x,y,n):
    best={0:0}
    for a in range(1,n+1):
        b=10**6
        for c in (1,3,4):
            if a-c in best: b=min(b,best[a-c]+1)
        best[a]=b
    return best[n]

def events(x,y,n):
    log={}
    t=0.0
    while t<n:
        step=int(t)
        log.setdefault(step,0.0)
        log[step]+=t
        t+=0.4
    return [log[k] for k in sorted(log)]

def most_common(x,y,n):
    c=Counter(int(v>0)+int(v>1) for v in x)
    return c[0],c[1],c[2]

def set_ints(x,y,n):
    seen=set()
    for i in range(n):
        seen.add(i*i%7)
    return len(seen), 4 in seen

def collatz(x,y,n):
    seen={}
    k=n; step=0
    while k not in seen and k>0:
        seen[k]=step
        k=k//2 if k%2==0 else 3*k+1
        step+=1
    return step,seen.get(1,-1)

def copy_(x,y,n):
    d={}
    for k in range(n): d[k]=y
    e=copy.copy(d); e[1]=5.0; f=d.copy(); f[0]=-1.0
    return d,e,f

def setops(x,y,n):
    a={k for k in range(n)}; b={k*2 for k in range(n)}
    return sorted(a|b),sorted(a&b),sorted(a-b),a<=b,a==b,a!={0}

def seteq(x,y,n):
    a=set(range(n)); return a=={0,1,2}, {0,1,2}==a, a==set()

def dictor(x,y,n):
    d={k:1 for k in range(n)}; e={1:5,9:7}
    d|=e
    return d|e, e|d, {**d,5:6}

def isin(x,y,n):
    d={k:k*y for k in range(n)}
    return isinstance(d,dict), type(d) is dict, bool(d), callable(d)

def ctr(x,y,n):
    c=Counter(int(v*2) for v in x); c.update(k%3 for k in range(n)); d=Counter(c)
    c[5]+=1
    return c,d,c.total(),d[77]

def od(x,y,n):
    o=OrderedDict()
    for k in range(n): o[k%4]=y*k
    o.move_to_end(0)
    return o, list(reversed(list(o)))

def firstitem(x,y,n):
    d={k*2:x[k%5] for k in range(n)}
    return next(iter(d)), list(d.items())[-1], min(d.items(),key=lambda kv:kv[1]), max(d,key=d.get), sorted(d,key=d.get,reverse=True)

def arr(x,y,n):
    d={}
    for k in range(n): d[k]=x*k
    s=0.0
    for k,a in d.items(): s+=a[0]*k
    return d[0],s

def by_floats(x,y,n):
    d={}
    for v in x: d[v]=d.get(v,0)+1
    return d, 0.5 in d

def npint(x,y,n):
    d={}
    for i in np.arange(n)%3: d[i]=d.get(i,0)+1
    return d

def boolk(x,y,n):
    d={}
    for v in x: d[v>0]=d.get(v>0,0.0)+v
    return d

def boolk2(x,y,n):
    d={True:0.0,False:0.0}
    for v in x: d[bool(v>0)]+=v
    return d

def tup(x,y,n):
    d={(0,0):1.0}
    for k in range(n): d[k,k%2]=y*k
    return d, (1,1) in d, d.get((5,1),-1.0)

def nested(x,y,n):
    d={}
    for k in range(n): d[k]={"a":y*k,"b":k}
    return d[0]["b"],sum(v["a"] for v in d.values()),d

def helper(x,y,n):
    def add(t,k,v): t[k]=t.get(k,0.0)+v
    d={}
    for k in range(n): add(d,k%3,x[k%5])
    return d

def cond(x,y,n):
    d={}
    if y>0:
        for k in range(n): d[k]=1.0
    else:
        d[5]=2.0
    return d

def while_it_grows(x,y,n):
    d={}
    k=0
    while len(d)<n: d[k*k%11+k]=k; k+=1
    return d

def try_it(x,y,n):
    d={k:1.0 for k in range(n)}
    try: d[100]
    except KeyError: return -1.0
    return 0.0

# ---- results

class Step(NamedTuple):
    t: float
    u: float


@dataclass
class Rec:
    it: int
    res: float


class Body:
    def __init__(self, at, label): self.at, self.label = at, label


def object_rows(x, y, n):
    return [Body(x[k % 5], (k, y)) for k in range(n)]

def nested_rows(x, y, n):
    out = []
    for k in range(n): out.append((k, {"at": x[k % 5], "of": [y, k]}, Step(0.5, y)))
    return out

def pairs_by_comprehension(x, y, n):
    return [(k, k + 1) for k in range(n)], [[y, 1.0] for k in range(n)], [(x[k], x[k + 1]) for k in range(min(n, 4))]

def kept_in_an_object(x, y, n):
    class Memory:
        def __init__(self): self.kept, self.hits = {}, 0
        def of(self, k):
            if k in self.kept:
                self.hits += 1
                return self.kept[k]
            found = math.exp(-k * y)
            self.kept[k] = found
            return found
    memory, total = Memory(), 0.0
    for k in range(n): total += memory.of(k * k % 5)
    return total, memory.hits, len(memory.kept)

def rows_result(x,y,n):
    rows=[]
    for i in range(n):
        rows.append([i*1.0,x[i%5],y])
    return rows

def tuples_result(x,y,n):
    pts=[]
    for i in range(n):
        t=i/n
        pts.append((math.cos(t)*y,math.sin(t)))
    return pts

def mesh(x,y,n):
    nodes=[]; elems=[]
    for j in range(n+1):
        for i in range(n+1):
            nodes.append((i*y/n,j*1.0/n))
    for j in range(n):
        for i in range(n):
            a=j*(n+1)+i
            elems.append((a,a+1,a+n+2,a+n+1))
    return nodes,elems

def matrix_lists(x,y,n):
    A=[[0.0]*n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            A[i][j]=1.0/(i+j+1+y*y)
    return A

def traj_tuple(x,y,n):
    ts=[0.0]; us=[x[0]]
    t=0.0; u=x[0]
    while t<n*0.1:
        u+=0.1*(-y*u); t+=0.1
        ts.append(t); us.append(u)
    return ts,us

def named_rows(x,y,n):
    out=[]
    u=y
    for k in range(n):
        u=u*0.9
        out.append(Step(k*0.1,u))
    return out

def dataclass_rows(x,y,n):
    out=[]
    r=abs(y)
    for k in range(n):
        r*=0.5
        out.append(Rec(k,r))
    return out

def dict_rows(x,y,n):
    out=[]
    for k in range(n): out.append({"k":k,"v":x[k%5]})
    return out

# ---- refused

def order_of_a_set(x, y, n):
    found = set()
    for k in range(n): found.add(k * 37 % 11)
    return list(found)

def loop_over_a_set(x, y, n):
    found = {k * 37 % 11 for k in range(n)}
    total = 0.0
    for k in found: total = total * 0.5 + k
    return total

def print_(x,y,n):
    d={}
    for k in range(n): d[k]=y
    print(d); return n

def fstr(x,y,n):
    d={}
    for k in range(n): d[k]=y
    raise ValueError(f"{d}")

def dcopy(x,y,n):
    d={}
    for k in range(n): d[k]=y
    e=copy.deepcopy(d); e[1]=5.0
    return d,e

def setlt(x,y,n):
    a=set(range(n)); return a<{0,1,2,3}

def keysop(x,y,n):
    d={k:1 for k in range(n)}; e={k:1 for k in range(3)}
    return d.keys()==e.keys()

def keysret(x,y,n):
    d={k:1 for k in range(n)}
    return d.keys()

def frk(x,y,n):
    d={k:1 for k in range(n)}
    return d.fromkeys([1,2])

def ctrmc(x,y,n):
    return Counter(k%3 for k in range(n)).most_common(2)

def ctradd(x,y,n):
    return Counter(k%3 for k in range(n))+Counter(k%2 for k in range(n))

def growiter(x,y,n):
    d={k:1 for k in range(n)}
    for k in d: d[k+100]=2
    return d

def ddgrow(x,y,n):
    d=defaultdict(int)
    for k in range(n): d[k]=k
    for k in d: d[k+3]
    return d

def arrmut(x,y,n):
    d={}
    a=x.copy()
    for k in range(n):
        d[k]=a
        a[0]+=1
    return d[0]

def nestmut(x,y,n):
    d={}
    for k in range(n): d[k]={"a":y*k,"b":k}
    d[0]["a"]=5.0
    return d

def two(x,y,n):
    d={k:1.0 for k in range(n)}; e={}
    t=d if y>0 else e
    return len(t)

def swap(x,y,n):
    cur={0:1.0}
    for k in range(n):
        nxt={}
        for i,v in cur.items():
            nxt[i+1]=nxt.get(i+1,0.0)+v*y
            nxt[i]=nxt.get(i,0.0)+v
        cur=nxt
    return cur

# ---- made of iterators

def of_iterators(x, y, n):
    u = {k * 7 % 5 for k in range(n)}
    v = set(u)
    v.add(99)
    return sorted(v), len(set(u)), sorted(set(k % 3 for k in range(n))), sorted(set(map(lambda k: k // 2, range(n)))), sum(u), max(v), min(u), v >= u

def dicts_of_iterators(x, y, n):
    return dict(zip(range(n), [x[k % 5] for k in range(n)])), dict((k, k * y) for k in range(n)), OrderedDict((k % 4, k) for k in range(n)), dict(enumerate(x[k % 5] for k in range(n)))

def counters_of_iterators(x, y, n):
    d = {k: y for k in range(n)}
    return Counter(k % 3 for k in range(n)), Counter([k % 3 for k in range(n)]), Counter(map(int, x)), dict(d), dict(d.items()), OrderedDict(d), set(d) == {0, 1, 2}

def iterators_are_gone_through_once(x, y, n):
    d = {k: y * k for k in range(n)}
    it, shown = iter(d), d.items()
    numbers = iter([k % 3 for k in range(n)])
    u = set(numbers)
    d[n] = 1.0
    return len(u), list(numbers), list(shown), list(d.values())

def iterators_twice(x, y, n):
    d = {k: y * k for k in range(n)}
    it = iter(d)
    return list(it), list(it)

# ---- lists joined, cut and searched; matches of one of several

@dataclass
class Circle:
    r: float


@dataclass
class Rect:
    w: float
    hh: float


class State(enum.Enum):
    IDLE = 0
    HEAT = 1
    COOL = 2


def matched_and_left(x, y, n):
    total = 0.0
    for k in range(n):
        part = Circle(x[k % 5]) if x[k % 5] > 0 else Rect(y, 2.0) if k % 2 else None
        match part:
            case Circle(r=r) if r > 1.0:
                break
            case Circle(r) | Rect(w=r):
                total += r
            case None:
                continue
        total += 0.5
    return float(total)

def matched_texts(x, y, n):
    mode = "up" if y > 1 else "down" if n > 3 else "flat"
    match mode:
        case "up": return float(x[0] * y)
        case "down" | "left": step = -1.0
        case other: step = len(other) * 0.5
    return step * y

def lists_joined(x,y,n):
    a=[x[k%5] for k in range(n)]; b=[k for k in range(n)]
    return a+a, b+[7], [1]+b, b*2, 3*b, b*0, b*n, [x[0]]+a

def joined_in_a_loop(x,y,n):
    a=[]
    for k in range(n): a=a+[k]
    return a

def joined_in_front(x,y,n):
    a=[]
    for k in range(n): a=[k]+a
    return a

def added_in_place(x,y,n):
    a=[k for k in range(n)]; b=a; b+=[5]; a+=b[:]; c=a+b; c.append(1)
    return a,b,c,a is b

def extended(x,y,n):
    a=[]; b=[k for k in range(n)]
    a.extend(b); a+=b; b.extend(a); b+=(1,2)
    return a,b

def extended_in_a_loop(x,y,n):
    a=[1]
    for k in range(n): a.extend([k,k+1]); a+=[k]
    return a

def lists_of_arrays_joined(x,y,n):
    a=[x*k for k in range(n)]; b=a+a; b[0][0] if n<0 else 0
    return b

def pascals_rows(x,y,n):
    row=[1]
    for k in range(1,n+1):
        row=[1]+[row[j-1]+row[j] for j in range(1,k)]+[1]
    return row

def quick_sorted_once(x,y,n):
    l=[x[k%5]*k for k in range(n)]
    p=l[0]
    return [v for v in l if v<p]+[v for v in l if v==p]+[v for v in l if v>p]

def counted_items(x,y,n):
    b=[k%3 for k in range(n)]
    return b.count(0),b.count(2),b.index(0),b.count(7)

def place_of_an_item(x,y,n):
    b=[k*2 for k in range(n)]
    return b.index(4)

def place_or_none(x,y,n):
    b=[k*2 for k in range(n)]
    try: return b.index(n)
    except ValueError: return -1

def parts_deleted(x,y,n):
    l=[x[k%5]*k for k in range(n+3)]
    del l[1:3]; m=l[:]; del m[-1:]; q=l[:]; del q[:]; r=l[:]; del r[n:]; t=l[:]; del t[2:1]
    return l,m,q,r,t

def parts_stored(x,y,n):
    l=[float(k) for k in range(n+3)]
    l[1:3]=[9.0,8.0]; m=l[:]; m[:0]=[1.0,2.0]; q=l[:]; q[n:]=m; r=l[:]; r[:]=[]; t=l[:]; t[-2:]=(5.0,); u=l[:]; u[2:1]=[7.0]
    return l,m,q,r,t,u

def parts_stored_in_a_loop(x,y,n):
    l=[k for k in range(n)]; b=l
    for k in range(n): l[k:k+1]=[k,k+1]
    return l,b

def part_of_itself_copied(x,y,n):
    l=[k for k in range(n)]
    l[1:]=l[:]
    return l

def sieve(x,y,n):
    s=[True]*(n+10)
    s[0]=s[1]=False
    for i in range(2,n+10):
        if s[i]:
            for j in range(i*i,n+10,i): s[j]=False
    return [i for i,v in enumerate(s) if v]

def reduced(x,y,n):
    l=[x[k%5] for k in range(n)]
    return functools.reduce(lambda a,b:a*y+b,l,0.0), functools.reduce(operator.add,range(n)), functools.reduce(max,l), functools.reduce(operator.mul,(k+1 for k in range(n)),1)

def reduced_or_raised(x,y,n):
    return functools.reduce(lambda a,b:a+b,[k for k in range(n-1)])

def parts_of_pairs(x,y,n):
    l=[(k,y*k) for k in range(n+2)]
    del l[:1]
    l[1:2]=[(7,1.5),(8,2.5)]
    return l

def a_helper_of_floats_and_of_ints(x,y,n):
    def total(xs):
        s=0
        for v in xs: s+=v
        return s
    a=total([x[k%5] for k in range(n)]); b=total([k for k in range(n)])
    return a,b

def a_helper_of_an_array_and_a_range(x,y,n):
    def total(xs,s):
        for v in xs: s=s+v
        return s
    a=total(x,0); b=total(range(n),0)
    return a,b

def matched_object(x,y,n):
    s=Circle(y) if y>0 else Rect(y,2.0)
    match s:
        case Circle(r=r): return 3.14*r*r
        case Rect(w=w,hh=q): return w*q

def matched_in_a_loop(x,y,n):
    total=0.0
    for v in x:
        s=Circle(v) if v>0 else Rect(v,y)
        match s:
            case Circle(r): total+=r*r
            case Rect(w,q): total+=w*q
    return total

def thermostat(x,y,n):
    s=State.IDLE; T=20.0+y; log=[]
    for k in range(n*4):
        match s:
            case State.IDLE:
                if T<19.5: s=State.HEAT
                elif T>21.5: s=State.COOL
            case State.HEAT:
                T+=0.5
                if T>21: s=State.IDLE
            case State.COOL:
                T-=0.5
                if T<20: s=State.IDLE
        T+=0.1*x[k%5]
        log.append(s.value)
    return T,log

def grown_system(x,y,n):
    s=[0]
    for k in range(n):
        t=[]
        for c in s:
            if c==0: t+=[0,1]
            else: t.append(0)
        s=t
    return len(s),sum(s)

# ---- refused

def extended_by_itself(x,y,n):
    a=[k for k in range(n)]
    a+=a
    return a

def array_in_a_joined_list(x,y,n):
    a=[x for k in range(n)]; b=a+a
    x[0]=99.0
    return b[0]

def counted_floats(x,y,n):
    b=[x[k%5] for k in range(n)]
    return b.count(0.5)

# ---- in straight lines

def a_key_at_a_time(x, y, n):
    u = set()
    u.add(int(x[0] * 4))
    d = {}
    d[n] = y
    d[n + 1] = y * 2
    return sum(u), max(u), sorted(u), len(u), list(d), max(d), sum(d), sorted(d), max(d, key=d.get), dict(d), sum(d.values()), max(d.values()), min(d.items()), set(u) == u

def items_changed_in_a_loop(x, y, n):
    d = {k: x[k % 5] for k in range(n)}
    for k, v in d.items(): d[k] = v * 2
    for k in d: d[k] += 1
    return d


def counters_together(x, y, n):
    one, two = Counter(int(4 * v) for v in x), Counter(int(3 * v) for v in x[1:])
    s = 0.0
    for both in (one + two, one - two, one | two, one & two, two - one):
        for key, count in both.items():
            s += y * key * count + len(both)
    return s, one == two, one + one == one + one


def counters_of_known_keys(x, y, n):
    one, two = Counter(a=n, b=2), Counter(b=n - 4, c=3)
    both = one + two
    return sum(both.values()), len(one - two), sorted(one | two), (one & two)["b"], both["zz"]


def order_is_compared(x, y, n):
    one, two, plain = OrderedDict(), OrderedDict(), {}
    for v in x:
        one[int(4 * v)] = y
        plain[int(4 * v)] = y
    for v in x[::-1]:
        two[int(4 * v)] = y
    known = OrderedDict(a=y, b=1.0), OrderedDict(b=1.0, a=y)
    return one == two, one == plain, plain == two, one != two, known[0] == known[1], known[0] == dict(known[1])


def way_between_tuples(x, y, n):
    """A heap whose items hold tuples of numbers of the call."""
    start, goal = (n % 3, 0), (2, 3)
    dist, came = {start: 0.0}, {}
    heap, seen = [(0.0, start)], set()
    while heap:
        d, u = heapq.heappop(heap)
        if u in seen:
            continue
        seen.add(u)
        if u == goal:
            break
        for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            v = (u[0] + dr, u[1] + dc)
            if not (0 <= v[0] < 3 and 0 <= v[1] < 4):
                continue
            longer = d + abs(x[(v[0] * 4 + v[1]) % 5]) + abs(y)
            if longer < dist.get(v, float("inf")):
                dist[v] = longer
                came[v] = u
                heapq.heappush(heap, (longer, v))
    path = [goal]
    while path[-1] != start:
        path.append(came[path[-1]])
    return dist[goal], path[::-1]


def sets_against_several(x, y, n):
    ours, theirs = {int(4 * v) for v in x}, {int(4 * v) + 1 for v in x}
    other = {n, n + 1}
    return sorted(ours.difference(theirs, other)), sorted(ours.intersection(theirs, other)), sorted(ours.difference()), sorted(ours.intersection()), sorted(ours.difference([n], (2, n)))

# ---- made of a few known items, whose keys only the run knows

def inverted(x,y,n):
    m={k:v for k,v in zip("abc",x)}
    back={v:k for k,v in m.items()}
    return back,len(back)

def of_pairs(x,y,n):
    d=dict([(x[0],n),(x[1],n+1),(x[0],n+2)])
    return d,{int(v):k for k,v in enumerate((x[2],x[3],y))}

def sets_of_a_few(x,y,n):
    s={round(v,1) for v in (x[0],x[1],y)}
    t=set([int(x[0]),int(x[1]),n])
    return len(s),sorted(t),n in t

# ---- that grow while a loop goes through a list of what they held

def knapsack(x,y,n):
    best={0:0.0}
    for v in x:
        weight=int(abs(v)*2)+1
        for c,b in list(best.items()):
            if c+weight<=9+n and b+v>best.get(c+weight,-1e9): best[c+weight]=b+v
    return max(best.values()),len(best)


def defaults_from_a_table(x, y, n):
    counts = {}
    for k in range(len(x)):
        counts[k % (n + 2)] = counts.get(k % (n + 2), 0.0) + x[k]
    defaults = defaultdict(float, counts)
    defaults[n + 5] += x[1]
    named = defaultdict(list, {n: [y], n + 1: []})
    named[n + 1].append(x[0])
    named[n + 2].append(y)
    return sorted(defaults.items()), len(counts), [len(each) for each in named.values()], list(defaults)


def polynomials_of_defaults(x, y, n):
    one, two = {0: 1.0, n + 2: x[0]}, {1: y, n + 3: x[1]}
    total = defaultdict(float, one)
    for power, value in two.items():
        total[power] += value
    product = defaultdict(float)
    for (a, u), (b, v) in itertools.product(one.items(), two.items()):
        product[a + b] += u * v
    return sorted(total), sum(value * 0.5**power for power, value in product.items()), max(product, default=0)


def moved_to_the_ends(x, y, n):
    found = OrderedDict()
    for k in range(len(x)):
        found[k % (n + 3)] = x[k]
    found.move_to_end(n, last=False)
    found.move_to_end(0)
    found.move_to_end(n + 1, last=x[0] > y)
    first = found.popitem(last=False)
    found[n + 7] = x[0]
    try:
        found.move_to_end(n + 50)
    except KeyError as error:
        missing = str(error)
    return list(found.items()), first, missing, found[1 + n % 2] if 1 + n % 2 in found else None


def moved_in_one_of_several(x, y, n):
    groups = {}
    for k in range(len(x)):
        groups[k % 2] = groups[k % 2] if k % 2 in groups else OrderedDict()
        groups[k % 2][k * k % 7] = x[k]
    for k in range(2):
        first = next(iter(groups[k]))
        groups[k].move_to_end(first, last=k == 1)
        last = list(groups[k])[-1]
        groups[k].move_to_end(last, last=False)
    return [list(each.items()) for each in groups.values()], groups[0].popitem(last=False), [len(each) for each in groups.values()]


def from_the_end(x, y, n):
    found = {}
    for k in range(len(x)):
        found[k * k % (n + 4)] = x[k]
    return list(reversed(found)), list(reversed(found.keys())), list(reversed(found.values())), [(key, value * y) for key, value in reversed(found.items())]


def empty_ordered(x, y, n):
    found = OrderedDict()
    for k in range(len(x)):
        found[k] = x[k] * y
    total = 0.0
    for k in range(len(x)):
        total += found.popitem(last=k > n)[1]
    try:
        found.popitem()
    except KeyError as error:
        return total, str(error)
    return total, ""


def tuples_in_keys(x, y, n):
    """Such keys have no slots."""
    found = {}
    for k in range(len(x)):
        found[k % 2, (k % 3, n)] = x[k]
    return len(found), list(found), found[1, (1, n)] if (1, (1, n)) in found else y, (1, 1) in found
