import { type Mutant, needsContract } from "./mutant.js";
import { isContract, type Proof, type Suite, type Verdict } from "./proofs.js";

/** A suite that caught a mutant, and the test that failed. */
export interface Catch {
  readonly suite: Suite;
  readonly by: string;
}

/**
 * The result of all suites for a mutant.
 *
 * - `no contract`: other suites caught it, but no contract suite did, although the mutant needs
 *   one.
 * - `late`: no suite caught it, and at least one suite did not end in time.
 */
export type MutantOutcome =
  | { readonly kind: "caught" | "no contract"; readonly catches: readonly [Catch, ...Catch[]] }
  | { readonly kind: "missed" }
  | Extract<Verdict, { kind: "late" | "unusable" }>
  | { readonly kind: "out of date" };

/**
 * Runs `proofs` on a mutant until one catches it. With `every`, runs them all.
 *
 * Runs contract suites first if the mutant needs one.
 */
export async function outcomeOf(
  mutant: Mutant,
  proofs: readonly Proof[],
  every: boolean,
  look: (proof: Proof) => Promise<Verdict>,
): Promise<MutantOutcome> {
  const needed = needsContract(mutant);
  const isLast = ({ suite }: Proof) => needed && !isContract(suite);
  const catches: Catch[] = [];
  let late: MutantOutcome = { kind: "missed" };
  for (const proof of [...proofs.filter((one) => !isLast(one)), ...proofs.filter(isLast)]) {
    const verdict = await look(proof);
    if (verdict.kind === "unusable") return verdict;
    if (verdict.kind === "late") late = verdict;
    if (verdict.kind === "caught") catches.push({ suite: proof.suite, by: verdict.by });
    if (verdict.kind === "caught" && !every) break;
  }
  const [first, ...more] = catches;
  if (first === undefined) return late;
  const trusted = !needed || catches.some(({ suite }) => isContract(suite));
  return { kind: trusted ? "caught" : "no contract", catches: [first, ...more] };
}

/** Returns the suite and the failed test of an outcome, as they are printed. */
export function wordsOf(outcome: MutantOutcome): { readonly suite: string; readonly by: string } {
  switch (outcome.kind) {
    case "caught":
      return { suite: suitesIn(outcome.catches), by: testsIn(outcome.catches) };
    case "no contract":
      return { suite: `NO CONTRACT, only ${suitesIn(outcome.catches)}`, by: testsIn(outcome.catches) };
    case "missed":
      return { suite: "NOT CAUGHT", by: "all suites passed" };
    case "late":
      return { suite: "NOT DECIDED", by: `${outcome.by} did not end in time; repeat on a quieter machine` };
    case "unusable":
      return { suite: "NOT USABLE", by: "the mutated source does not load" };
    case "out of date":
      return { suite: "OUT OF DATE", by: "its text does not occur exactly once in the file" };
  }
}

function suitesIn(catches: readonly Catch[]): string {
  return [...new Set(catches.map(({ suite }) => suite))].join(", ");
}

function testsIn(catches: readonly Catch[]): string {
  return catches.map(({ by }) => by).join("; ");
}
