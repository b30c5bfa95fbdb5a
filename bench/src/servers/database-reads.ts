import pg from "pg";
import { z } from "zod";
import { beProgram } from "../harness/be-program.js";
import { play } from "../harness/play.js";
import { workNumbers } from "../load/fill-in.js";
import { shopFacts } from "../shop/shop-facts.js";
import { SELECT_ORDER } from "./by-hand/order-record.js";

const facts = shopFacts.extend({ orders: z.int() });
const question = z.object({ ms: z.number() });
const CONNECTIONS = 2;
const AT_ONCE = 32;

/** Reads of one order by its key and nothing else: prepared statements, sent one behind the other without waiting. */
beProgram(async (given) => {
  const { databaseUrl, appId, orders } = facts.parse(given);
  const clients = Array.from(
    { length: CONNECTIONS },
    () => new pg.Client({ connectionString: databaseUrl, pipeline: true }),
  );
  for (const client of clients) await client.connect();
  const nextNumber = workNumbers({ among: orders });
  const read = async (): Promise<void> => {
    const n = nextNumber();
    const { rowCount = 0 } =
      (await clients[n % CONNECTIONS]?.query({
        name: "read",
        text: `${SELECT_ORDER} where app_id = $1 and biz_no = $2 and customer_identity = $3`,
        values: [appId, `b-${n}`, `u-${n}`],
      })) ?? {};
    if (rowCount !== 1) throw new Error(`Order ${n} was not found.`);
  };
  return {
    says: "ready",
    answer: async (asked) => ({
      ...(await play(read, AT_ONCE, question.parse(asked).ms)),
      rss: process.memoryUsage.rss() / 1_048_576,
    }),
  };
});
