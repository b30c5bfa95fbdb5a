import type { Worker } from "node:cluster";

/** The part of a handle of a connection that the supervisor needs. */
interface Handle {
  close(): void;
}

/**
 * Closes the connections that were passed to a worker which ends before it has taken them.
 *
 * Node keeps the supervisor's copy of such a connection open for ever, so the client would wait
 * until its own timeout.
 */
export function closeHandedConnections(worker: Worker): void {
  /** The connections that the worker has not taken yet, by the number of their message. */
  const handed = new Map<unknown, Handle>();
  const { process } = worker;
  const send: unknown = Reflect.get(process, "send");
  if (typeof send !== "function") return;
  const sendAndNote = (...sent: readonly unknown[]): unknown => {
    const [message, handle] = sent;
    if (isObject(message) && message["act"] === "newconn" && isHandle(handle))
      handed.set(message["seq"], handle);
    return Reflect.apply(send, process, sent);
  };
  Reflect.set(process, "send", sendAndNote);
  // The worker answers for each connection whether it takes the connection. If not, Node passes the
  // connection to another worker.
  process.on("internalMessage", (message: unknown) => {
    if (isObject(message)) handed.delete(message["ack"]);
  });
  worker.once("exit", () => {
    for (const handle of handed.values()) handle.close();
    handed.clear();
  });
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function isHandle(value: unknown): value is Handle {
  return isObject(value) && typeof value["close"] === "function";
}
