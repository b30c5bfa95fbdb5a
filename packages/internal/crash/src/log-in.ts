import { at, listAt } from "./testing/json.js";
import type { LaneContext } from "./buy.js";

/** The requests of a phone number that only requests codes: more than the daily limit. */
const GREEDY = 8;

/**
 * Lets one customer after another log in, and lets other numbers exceed their limit of codes.
 *
 * Each customer has a separate phone number.
 */
export async function logInContinuously(context: LaneContext): Promise<void> {
  const { line, known } = context;
  for (let nth = 0; !context.ending(); nth += 1) {
    const mobileNo = `138${String(10_000_000 + nth)}`;
    const requested = await line.persist(({ caller }) => caller.get(`/sms.json?mobileNo=${mobileNo}`));
    const sent = await line.persist(({ caller }) => caller.control(`sms?mobileNo=${mobileNo}`));
    const authCode = at(listAt(sent).at(-1), "authCode");
    if (at(requested, "code") === 0) {
      // Sent once. If the host dies, the code may be used up, and a customer would request another
      // code.
      const login = await line.once(({ caller }) => caller.post("/auth.json", { mobileNo, authCode }));
      const token = at(login, "data", "token");
      if (typeof token === "string") known.tokens.push(token);
      if (typeof token === "string") line.acknowledge();
    }
    const greedy = `139${String(10_000_000 + Math.floor(nth / GREEDY))}`;
    const more = await line.once(({ caller }) => caller.get(`/sms.json?mobileNo=${greedy}`));
    if (at(more, "code") === 0) known.quotas.set(greedy, (known.quotas.get(greedy) ?? 0) + 1);
  }
}
