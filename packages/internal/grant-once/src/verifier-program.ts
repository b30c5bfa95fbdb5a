// A process that verifies a purchase as often as its parent asks. The parent kills it.
import * as z from "zod";
import { openFulfiller } from "./open-fulfiller.js";

const place = z.object({
  databaseUrl: z.string(),
  baseUrl: z.string(),
  appId: z.string(),
  appSecret: z.string(),
});
const request = z.object({ bizNo: z.string(), customerIdentity: z.string(), times: z.int() });

const { fulfiller, pool } = openFulfiller(place.parse(JSON.parse(process.argv[2] ?? "")));
process.on("message", (message) => void work(request.parse(message)));
process.on("disconnect", () => void pool.end());
process.send?.({ kind: "ready" });

/** Verifies four times at once, and checks due purchases in between. */
async function work({ bizNo, customerIdentity, times }: z.infer<typeof request>): Promise<void> {
  let left = times;
  const verifier = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await fulfiller.verify(bizNo, customerIdentity);
      if (left % 10 === 0) await fulfiller.checkDue();
    }
  };
  await Promise.all(Array.from({ length: 4 }, verifier));
  process.send?.({ kind: "done" });
}
