import { smsSenderContract, type SmsStage, storesContract } from "@tillkit/contract-tests";
import { memoryStores } from "./memory-stores.js";
import { recordingSmsSender } from "./recording-sms-sender.js";

const close = async () => undefined;

storesContract("memory", async () => ({
  port: memoryStores(),
  credentialsAtRest: "they are held by the process alone",
  close,
}));

smsSenderContract("recording", async () => {
  const sender = recordingSmsSender();
  let spoilt: Parameters<SmsStage["spoil"]>[0] = null;
  const port: SmsStage = {
    send: (message) => {
      if (spoilt === "reject") sender.failNext({ name: "sms.rejected", detail: "scripted" });
      if (spoilt === "timeout") sender.failNext({ name: "sms.unknown", detail: "scripted" });
      return sender.send(message);
    },
    taken: async () => sender.messages,
    spoil: async (how) => {
      spoilt = how;
    },
  };
  return { port, close };
});
