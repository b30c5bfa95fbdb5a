/** Returns a reason and its problems, each in a line of its own. */
export function problemList(why: string, problems: readonly string[]): string {
  return [why, ...problems.map((problem) => `- ${problem}`)].join("\n");
}

/** Ends the process with 1, and prints why it did not start. */
export function refuse(why: string, problems: readonly string[] = []): never {
  process.stderr.write(`${problemList(why, problems)}\n`);
  process.exit(1);
}
