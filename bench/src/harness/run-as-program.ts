import { inspect } from "node:util";

/** What a program reports when it is ready, and how it answers later messages. */
export interface StartedProgram {
  readonly says: unknown;
  readonly answer: (question: unknown) => Promise<unknown>;
}

/**
 * Makes this process a program for `startProgram`. `open` receives the facts.
 *
 * The process ends when its parent ends or disconnects.
 */
export function runAsProgram(open: (facts: unknown) => Promise<StartedProgram>): void {
  let opened: StartedProgram | undefined;
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
  // A regular exit, so that Node writes a requested profile.
  process.on("disconnect", () => process.exit(0));
}
