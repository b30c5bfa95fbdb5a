import {
  businessDay,
  checkToken,
  checkTokenInput,
  getReport,
  logIn,
  logInInput,
  parseInput,
  revoke,
  revokeAll,
  sendCode,
  sendCodeInput,
} from "@tillkit/core";
import { DAILY_LIMIT, PHONES, type Scene } from "../scene.js";
import { promise } from "../violation.js";

/** A customer requests a code. Sometimes the SMS carrier refuses to send it. */
export function askForCode(scene: Scene): void {
  const { tape, policy, carrier } = scene.world;
  const mobileNo = aPhone(scene);
  if (tape.next(6) === 5) carrier.failNext({ name: "sms.rejected", detail: "simulated" });
  const request = parseInput(sendCodeInput(policy), { mobileNo })._unsafeUnwrap();
  scene.serve(`send a code to ${mobileNo}`, (ports) => sendCode(ports, scene.appId, request));
}

/** A customer logs in with the last code, with the one before it, or with a guess. */
export function enter(scene: Scene): void {
  const { tape, policy, carrier } = scene.world;
  const mobileNo = aPhone(scene);
  const codes = carrier.messages.filter((message) => message.mobileNo === mobileNo);
  const nth = [1, 1, 1, 2, 0][tape.next(5)] ?? 0;
  const authCode = (nth === 0 ? undefined : codes.at(-nth)?.authCode) ?? "000000";
  const request = parseInput(logInInput(policy), { mobileNo, authCode })._unsafeUnwrap();
  scene.serve(
    `log ${mobileNo} in`,
    (ports) => logIn(ports, scene.appId, request),
    (entered) => {
      if (entered.isOk()) scene.known.tokens.push(entered.value.token);
    },
  );
}

/** A customer uses a token, revokes it, or revokes all tokens. */
export function use(scene: Scene): void {
  const { tape, policy } = scene.world;
  const { tokens } = scene.known;
  const token = tokens[tape.next(Math.max(1, tokens.length))];
  if (token === undefined) return;
  const [customerId = ""] = token.split(".");
  switch (tape.next(8)) {
    case 6:
      scene.serve("revoke a token", (ports) => revoke(ports, scene.appId, token));
      return;
    case 7:
      scene.serve("revoke all tokens", (ports) => revokeAll(ports, scene.appId, customerId));
      return;
    default: {
      const request = parseInput(checkTokenInput(policy), { token })._unsafeUnwrap();
      scene.serve("check a token", (ports) => checkToken(ports, scene.appId, request));
    }
  }
}

/** The client reads its downloads report. */
export function report(scene: Scene): void {
  const { policy, now } = scene.world;
  const { date } = businessDay(policy.timeZone, now());
  const query = { id: [scene.clientId], start: [date], end: [date] };
  scene.serve(
    "report",
    (ports) => getReport(ports, query),
    (reported) => {
      if (reported.isErr()) return;
      const { resetAt, usage } = reported.value;
      const read = (scene.known.reports.get(resetAt) ?? 0) + 1;
      scene.known.reports.set(resetAt, read);
      const within = read <= DAILY_LIMIT && usage.usedToday <= DAILY_LIMIT;
      promise("the allowance is never exceeded", within, () => `${String(read)} reports until ${resetAt}`);
    },
  );
}

function aPhone({ world }: Scene): string {
  return PHONES[world.tape.next(PHONES.length)] ?? PHONES[0];
}
