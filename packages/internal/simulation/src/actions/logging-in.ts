import {
  businessDay,
  checkToken,
  checkTokenInput,
  getDownloadsReport,
  logIn,
  logInInput,
  orThrow,
  parseInput,
  revokeSession,
  revokeAllSessions,
  sendCode,
  sendCodeInput,
} from "@tillkit/core";
import { DAILY_LIMIT, PHONES, type Scenario } from "../scenario.js";
import { invariant } from "../violation.js";

/** A customer requests a code. Sometimes the SMS carrier refuses, or its answer is lost. */
export function askForCode(scenario: Scenario): void {
  const { choices, policy, carrier } = scenario.simulation;
  const mobileNo = aPhone(scenario);
  const fate = choices.next(6);
  if (fate === 5) carrier.failNext({ name: "sms.rejected", detail: "simulated" });
  if (fate === 4) carrier.failNext({ name: "sms.unknown", detail: "simulated" });
  const request = orThrow(parseInput(sendCodeInput(policy), { mobileNo }));
  scenario.serve(`send a code to ${mobileNo}`, (ports) => sendCode(ports, scenario.appId, request));
}

/** A customer logs in with one of the last codes sent, or with a guess. */
export function logInWithCode(scenario: Scenario): void {
  const { choices, policy, carrier } = scenario.simulation;
  const mobileNo = aPhone(scenario);
  // A message with an unknown outcome may have arrived. `failed` has those, and refused ones.
  const arrived = [...carrier.messages, ...carrier.failed];
  const codes = arrived.filter((message) => message.mobileNo === mobileNo);
  const nth = [1, 1, 1, 2, 0][choices.next(5)] ?? 0;
  const authCode = (nth === 0 ? undefined : codes.at(-nth)?.authCode) ?? "000000";
  const request = orThrow(parseInput(logInInput(policy), { mobileNo, authCode }));
  scenario.serve(
    `log ${mobileNo} in`,
    (ports) => logIn(ports, scenario.appId, request),
    (entered) => {
      if (entered.isOk()) scenario.known.tokens.push(entered.value.token);
    },
  );
}

/** A customer uses a token, revokes it, or revokes all tokens. */
export function useToken(scenario: Scenario): void {
  const { choices, policy } = scenario.simulation;
  const { tokens } = scenario.known;
  const token = tokens[choices.next(Math.max(1, tokens.length))];
  if (token === undefined) return;
  const [customerId = ""] = token.split(".");
  switch (choices.next(8)) {
    case 6:
      scenario.serve("revoke a token", (ports) => revokeSession(ports, scenario.appId, token));
      return;
    case 7:
      scenario.serve("revoke all tokens", (ports) => revokeAllSessions(ports, scenario.appId, customerId));
      return;
    default: {
      const request = orThrow(parseInput(checkTokenInput(policy), { token }));
      scenario.serve("check a token", (ports) => checkToken(ports, scenario.appId, request));
    }
  }
}

/** The client reads its downloads report. */
export function report(scenario: Scenario): void {
  const { policy, now } = scenario.simulation;
  const { date } = businessDay(policy.timeZone, now());
  const query = { id: [scenario.clientId], start: [date], end: [date] };
  scenario.serve(
    "report",
    (ports) => getDownloadsReport(ports, query),
    (reported) => {
      if (reported.isErr()) return;
      const { resetAt, usage } = reported.value;
      const read = (scenario.known.reports.get(resetAt) ?? 0) + 1;
      scenario.known.reports.set(resetAt, read);
      const within = read <= DAILY_LIMIT && usage.usedToday <= DAILY_LIMIT;
      invariant("the allowance is never exceeded", within, () => `${String(read)} reports until ${resetAt}`);
    },
  );
}

function aPhone({ simulation }: Scenario): string {
  return PHONES[simulation.choices.next(PHONES.length)] ?? PHONES[0];
}
