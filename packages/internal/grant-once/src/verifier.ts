import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Place } from "./open-fulfiller.js";

/** What a verifier is asked to do. */
export interface Verifications {
  readonly bizNo: string;
  readonly customerIdentity: string;
  readonly times: number;
}

/** A process that verifies. */
export interface Verifier {
  /** Resolves when the process has verified as often as asked. Rejects if it dies before. */
  verify(asked: Verifications): Promise<void>;
  /** Kills the process with SIGKILL. */
  kill(): Promise<void>;
}

/** Starts a verifier. Resolves when it is ready. */
export async function startVerifier(place: Place): Promise<Verifier> {
  const program = fileURLToPath(new URL("verifier-program.ts", import.meta.url));
  const child = fork(program, [JSON.stringify(place)], {
    execArgv: ["--conditions=@tillkit/source", "--import", "tsx"],
  });
  await next(child);
  return {
    verify: async (asked) => {
      child.send(asked, () => undefined);
      await next(child);
    },
    kill: async () => {
      const exit = once(child, "exit");
      child.kill("SIGKILL");
      await exit;
    },
  };
}

/** Resolves at the next message. Rejects if the process ends first. */
function next(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    const clear = () => {
      child.off("message", onMessage);
      child.off("exit", onExit);
    };
    const onMessage = () => {
      clear();
      resolve();
    };
    const onExit = () => {
      clear();
      reject(new Error("The verifier has ended."));
    };
    child.on("message", onMessage);
    child.on("exit", onExit);
  });
}
