import { inspect } from "node:util";

/** What a program says first, and how it answers what it is asked later. */
export interface Opened {
  readonly says: unknown;
  readonly answer: (question: unknown) => Promise<unknown>;
}

/** Makes this process a program that `startProgram` started: `open` gets the facts. The process ends with its parent, or when it is let go of. */
export function beProgram(open: (facts: unknown) => Promise<Opened>): void {
  let opened: Opened | undefined;
  const answer = async (question: unknown): Promise<unknown> => {
    if (opened !== undefined) return opened.answer(question);
    opened = await open(question);
    return opened.says;
  };
  process.on("message", (message) => {
    const question =
      typeof message === "object" && message !== null && "question" in message ? message.question : undefined;
    answer(question).then(
      (given) => process.send?.({ answer: given }),
      (thrown: unknown) => process.send?.({ failure: inspect(thrown) }),
    );
  });
  // An orderly end, so that a profile that was asked for is written.
  process.on("disconnect", () => process.exit(0));
}
