/** Ends the process with 1, and prints why it did not start. */
export function refuse(why: string, problems: readonly string[] = []): never {
  console.error([why, ...problems.map((problem) => `- ${problem}`)].join("\n"));
  process.exit(1);
}
