import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { publishedProgram } from "@tillkit/built-program";

/** A process of the bench that answers one message after the other. */
export interface Program {
  /** What the process reported when it was ready. */
  readonly reported: unknown;
  readonly ask: (question: unknown) => Promise<unknown>;
  readonly close: () => Promise<void>;
}

/** The built modules of this run by their addresses. Building one takes up to a second. */
const built = new Map<string, Promise<string>>();

function builtOnce(file: URL): Promise<string> {
  const path = built.get(file.href) ?? publishedProgram(file);
  built.set(file.href, path);
  return path;
}

/**
 * Builds the module `file`, starts it in its own process and sends it `facts`.
 *
 * Rejects if the process ends without an answer.
 */
export async function startProgram(
  file: URL,
  facts: unknown,
  options: readonly string[] = [],
): Promise<Program> {
  const child = fork(await builtOnce(file), {
    cwd: fileURLToPath(new URL("../..", import.meta.url)),
    execArgv: [...options],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const ended = once(child, "exit");
  const ask = async (question: unknown): Promise<unknown> => {
    const answered: unknown = await new Promise((resolve, reject) => {
      const left = () => reject(new Error(`${file.pathname} ended before it was ready.`));
      child.once("exit", left);
      child.once("message", (message) => {
        child.off("exit", left);
        resolve(message);
      });
      child.send({ question });
    });
    return answerIn(answered);
  };
  const close = async () => {
    if (child.connected) child.disconnect();
    await ended;
  };
  try {
    return { reported: await ask(facts), ask, close };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

function answerIn(message: unknown): unknown {
  if (typeof message === "object" && message !== null && "answer" in message) return message.answer;
  const why = typeof message === "object" && message !== null && "failure" in message ? message.failure : "";
  throw new Error(String(why));
}
