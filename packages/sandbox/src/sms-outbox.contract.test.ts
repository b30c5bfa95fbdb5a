import { smsSenderContract } from "@tillkit/contract-tests";
import { testWalletKeys as keys } from "@tillkit/test-keys";
import { openSandbox } from "./index.js";
import { sentSms } from "./sms-outbox.js";
import { postControl } from "./testing/post-control.js";

smsSenderContract("sandbox", async () => {
  const sandbox = await openSandbox({ keys });
  const { smsSender, control } = sandbox;
  const request = { headers: new Headers(), query: "" };
  const port = {
    ...smsSender,
    taken: async () => {
      const reply = await control.handle({ ...request, method: "GET", path: "/sms", body: new Uint8Array() });
      return sentSms.array().parse(JSON.parse(reply.body));
    },
    injectFault: async (how: "reject" | "timeout" | null) => {
      await postControl(sandbox, "/faults", { sms: how });
    },
  };
  return { port, close: () => sandbox.close() };
});
