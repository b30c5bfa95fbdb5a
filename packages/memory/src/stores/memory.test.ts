import { smsSenderContract, type SmsHarness, storesContract } from "@tillkit/contract-tests";
import { memoryState } from "../state/memory-state.js";
import { memoryStores } from "./memory-stores.js";
import { recordingSmsSender } from "../sessions/recording-sms-sender.js";

const close = async () => undefined;

storesContract("memory", async () => ({
  port: memoryStores(),
  credentialsAtRest: "they are held by the process alone",
  readOnly: memoryStores({ ...memoryState(), readiness: Object.freeze({ writtenAt: 0 }) }).readiness,
  close,
}));

smsSenderContract("recording", async () => {
  const sender = recordingSmsSender();
  let faulty: Parameters<SmsHarness["injectFault"]>[0] = null;
  const port: SmsHarness = {
    send: (message) => {
      if (faulty === "reject") sender.failNext({ name: "sms.rejected", detail: "scripted" });
      if (faulty === "timeout") sender.failNext({ name: "sms.unknown", detail: "scripted" });
      return sender.send(message);
    },
    taken: async () => sender.messages,
    injectFault: async (how) => {
      faulty = how;
    },
  };
  return { port, close };
});
