import type { Language } from "../errors/message.js";
import type { PayChannel } from "../pay-tools/pay-tool.js";
import { walletName } from "./wallet-name.js";

const CALLER: Readonly<Record<Language, string>> = { en: "the app's server", zh: "接入方（商户后端）" };
const RECONCILER: Readonly<Record<Language, string>> = { en: "the reconciler", zh: "查单任务" };

/** Returns the name of the actor of an event. It is empty for the expiry of an order. */
export function actorName(actor: string, payChannel: PayChannel | undefined, language: Language): string {
  if (actor.startsWith("operator:")) return actor.slice("operator:".length);
  switch (actor) {
    case "caller":
      return CALLER[language];
    case "wallet":
      return walletName(payChannel, language);
    case "reconciler":
      return RECONCILER[language];
    case "expiry":
      return "";
    default:
      return actor;
  }
}
