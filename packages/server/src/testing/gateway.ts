import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { z } from "zod";

const sms = z.strictObject({
  appId: z.string(),
  purpose: z.literal("login"),
  language: z.string().optional(),
  mobileNo: z.string(),
  authCode: z.string(),
  ttlSeconds: z.int(),
});

/** An SMS gateway for tests. */
export interface TestSmsGateway {
  readonly url: string;
  readonly token: string;
  /** The accepted messages, oldest first. */
  readonly messages: readonly z.infer<typeof sms>[];
  /** Sets how the gateway answers: with a status, or not until `release` is called. */
  answer(how: number | "hold"): void;
  /** Resolves when the gateway delays a response. */
  holding(): Promise<void>;
  /** Sends the answers that were held back. */
  release(): void;
  close(): Promise<void>;
}

/** Starts a gateway that accepts every message sent with its token. */
export async function openTestSmsGateway(): Promise<TestSmsGateway> {
  const token = "gateway-token-9f8e7d6c5b4a";
  const messages: z.infer<typeof sms>[] = [];
  const stored: ServerResponse[] = [];
  let how: number | "hold" = 202;
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      if (request.headers.authorization !== `Bearer ${token}`) return response.writeHead(401).end();
      if (how !== "hold" && how >= 300) return response.writeHead(how, { location: "/elsewhere" }).end("no");
      messages.push(sms.parse(JSON.parse(body)));
      if (how !== "hold") return response.writeHead(how).end("{}");
      stored.push(response);
      return server.emit("held");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The gateway has no port.");
  const release = (): void => {
    for (const response of stored.splice(0)) response.writeHead(202).end();
  };
  return {
    url: `http://127.0.0.1:${address.port}/send`,
    token,
    messages,
    answer: (next) => {
      how = next;
    },
    holding: async () => {
      if (stored.length === 0) await once(server, "held");
    },
    release,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
