import { Worker } from "node:worker_threads";

/** The most frames of a stack, and the most characters of a frame. */
const LIMITS = { frames: 20, width: 200 } as const;

/** Returns the socket on which the worker at `socketPath` answers with its stack. */
export function stackSocketOf(socketPath: string): string {
  return `${socketPath}.stack`;
}

/**
 * The code of the thread. It is text, because a bundle has no file for a thread.
 *
 * The inspector interrupts the main thread also within an endless loop.
 */
const CODE = `
  const { createServer } = require("node:http");
  const { Session } = require("node:inspector");
  const { workerData } = require("node:worker_threads");
  const { socketPath, frames, width } = workerData;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, "SIGKILL");
  }, 1_000);
  const server = createServer((_request, response) => {
    const session = new Session();
    session.connectToMainThread();
    const urls = new Map();
    session.on("Debugger.scriptParsed", ({ params }) => urls.set(params.scriptId, params.url));
    session.once("Debugger.paused", ({ params }) => {
      const at = params.callFrames.slice(0, frames).map(({ functionName, location }) =>
        (functionName || "(anonymous)").slice(0, width / 2) + " " +
          ((urls.get(location.scriptId) || "") + ":" + (location.lineNumber + 1) + ":" + (location.columnNumber + 1)).slice(-width / 2));
      response.end(JSON.stringify(at));
    });
    // The end of the session also lets the main thread continue.
    response.once("close", () => session.disconnect());
    session.post("Debugger.enable");
    session.post("Debugger.pause");
  });
  // A thread without the socket still watches the parent.
  server.on("error", () => undefined);
  server.listen(socketPath);
`;

/**
 * Serves the stack of the main thread on a socket. The supervisor reads it if the worker is silent.
 *
 * Another thread answers, because the main thread may be in an endless loop. The answer is a list
 * of frames with functions and places in the code, without values. The inspector starts only with a
 * request.
 *
 * The thread also kills the process within a second after its parent has died. A main thread that
 * hangs does not notice that the supervisor has gone, and nothing else would end it.
 */
export function serveStack(socketPath: string): void {
  const workerData = { ...LIMITS, socketPath: stackSocketOf(socketPath) };
  const thread = new Worker(CODE, {
    eval: true,
    workerData,
    execArgv: [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: 64 },
  });
  // Without the thread, a worker that hangs is killed without its stack, and outlives its parent.
  thread.on("error", () => undefined);
  thread.unref();
}
