/** What the sandbox read of its own words; that it cannot read them is a defect of the sandbox, not an answer of a wallet. */
export function ownWords<T>(fact: T | undefined): T {
  if (fact === undefined) throw new Error("The sandbox cannot read what it wrote itself.");
  return fact;
}
