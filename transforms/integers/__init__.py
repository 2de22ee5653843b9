"""What is known of integers: sums of sizes, and systems of inequalities over them."""
