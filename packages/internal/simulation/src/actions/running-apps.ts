import { authenticateCaller, type Ports } from "@tillkit/core";
import { isStorageFailure } from "@tillkit/core/errors";
import { disableApp, enableApp, rotateSecret } from "@tillkit/core/operators";
import type { Scenario } from "../scenario.js";

const SECOND = 1_000;

/** An app authenticates with one of its secrets, mostly the newest one. */
export function callAsApp(scenario: Scenario): void {
  const { guest, simulation } = scenario;
  const { secrets } = guest;
  const nth = [1, 1, 1, 2, 3][simulation.choices.next(5)] ?? 1;
  const appSecret = secrets[Math.max(0, secrets.length - nth)] ?? "";
  let begun = guest.history.beginning();
  scenario.serve(
    "authenticate",
    (ports) => {
      begun = guest.history.beginning(ports);
      return authenticateCaller(ports, { appId: guest.appId, appSecret });
    },
    (answer) => {
      if (answer.isErr() && isStorageFailure(answer.error)) return;
      guest.history.check(begun, simulation.bare.digest.sha256(appSecret), answer.isOk());
    },
  );
}

/** An operator disables or enables an app, or replaces its secret with or without an overlap. */
export function operateApp(scenario: Scenario): void {
  const { guest, simulation } = scenario;
  const deed = simulation.choices.next(5);
  let by: Ports | undefined;
  const change = (ports: Ports) => {
    by = ports;
    if (deed === 0) return disableApp(ports, guest.appId);
    if (deed === 1 || deed === 2) return enableApp(ports, guest.appId);
    const overlap = deed === 3 ? 0 : 10 * SECOND;
    return rotateSecret(ports, guest.appId, overlap).map(({ app, appSecret }) => {
      guest.secrets.push(appSecret);
      return app;
    });
  };
  scenario.serve(
    ["lock out", "let in", "let in", "replace the secret", "rotate the secret"][deed] ?? "",
    change,
    (done) => {
      if (done.isOk() && by !== undefined) guest.history.madeBy(by);
    },
  );
}
