import { smsSenderContract } from "@tillkit/contract-tests";
import { testWalletKeys as keys } from "@tillkit/test-keys";
import { openSandbox } from "./index.js";
import { sentSms } from "./sms-outbox.js";
import { callControl, postControl } from "./testing/call-control.js";

smsSenderContract("sandbox", async () => {
  const sandbox = await openSandbox({ keys });
  const port = {
    ...sandbox.smsSender,
    taken: async () => {
      const reply = await callControl(sandbox, "GET", "/sms");
      return sentSms.array().parse(JSON.parse(reply.body));
    },
    injectFault: async (how: "reject" | "timeout" | null) => {
      await postControl(sandbox, "/faults", { sms: how });
    },
  };
  return { port, close: () => sandbox.close() };
});
