import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import type { PaymentRequest, SmsMessage, WalletAccount } from "@tillkit/core";
import { deliverOverHttp, openSandbox, type Sandbox, type SandboxKeys } from "@tillkit/sandbox";
import type { Result } from "neverthrow";
import { z } from "zod";

const LIMITS = { deadline: 5_000 };

const call = z.discriminatedUnion("verb", [
  z.object({
    verb: z.literal("prepare"),
    account: z.custom<WalletAccount>(),
    request: z.custom<PaymentRequest>(),
  }),
  z.object({ verb: z.literal("query"), account: z.custom<WalletAccount>(), outTradeNo: z.string() }),
  z.object({ verb: z.literal("sms"), message: z.custom<SmsMessage>() }),
]);
/** What a host asks of the double over HTTP. */
export type DoubleCall = z.infer<typeof call>;

/** One WALLET_A and one SMS carrier for several hosts, with counts of what they were asked. */
export interface SharedDouble {
  readonly url: string;
  readonly sandbox: Sandbox;
  /** How often the wallet was asked to take each order, by `outTradeNo`. */
  readonly prepared: ReadonlyMap<string, number>;
  /** How often the wallet was asked about each order. */
  readonly queried: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

/** Opens the double. Every notification goes to all of `hosts()` at once. */
export async function openSharedDouble(
  hosts: () => readonly string[],
  keys: SandboxKeys,
): Promise<SharedDouble> {
  const prepared = new Map<string, number>();
  const queried = new Map<string, number>();
  const count = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);
  const sandbox = await openSandbox({
    keys,
    deliver: async (delivery) => {
      const { pathname } = new URL(delivery.url);
      const all = hosts().map((host) => deliverOverHttp({ ...delivery, url: `${host}${pathname}` }));
      const answers = await Promise.all(all);
      return answers.find(({ status }) => status !== 204) ?? { status: 204, body: "" };
    },
  });

  const { WALLET_A: wallet } = sandbox.wallets;
  async function answer(asked: DoubleCall): Promise<object> {
    if (asked.verb === "sms") return outcome(await sandbox.smsSender.send(asked.message));
    if (asked.verb === "query") {
      count(queried, asked.outTradeNo);
      return outcome(await wallet.query(asked.account, asked.outTradeNo, LIMITS));
    }
    count(prepared, asked.request.outTradeNo);
    return outcome(await wallet.prepare(asked.account, asked.request, LIMITS));
  }

  const server = createServer((request, response) => {
    void text(request)
      .then((body) => answer(call.parse(JSON.parse(body))))
      .then((said) => response.end(JSON.stringify(said)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return {
    url: `http://127.0.0.1:${port}`,
    sandbox,
    prepared,
    queried,
    close: async () => {
      await sandbox.close();
      server.close();
      server.closeAllConnections();
    },
  };
}

function outcome(result: Result<unknown, unknown>): object {
  return result.match<object>(
    (value) => ({ value }),
    (failure) => ({ failure }),
  );
}
