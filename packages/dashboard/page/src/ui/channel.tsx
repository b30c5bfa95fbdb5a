import { catalogue, useTexts } from "../language/catalogue.js";
import { useSession } from "../session/session-context.js";

/** The names by which people know the payment channels. */
const CHANNEL_TEXTS = catalogue(
  { WALLET_A: "WeChat Pay", WALLET_B: "Alipay" },
  { WALLET_A: "微信支付", WALLET_B: "支付宝" },
);

/** Returns a function that names a payment channel, by its id or by its name on the wire. */
export function useChannelName(): (channel: string) => string {
  const texts = useTexts(CHANNEL_TEXTS);
  const { payChannelNames } = useSession().policy;
  return (channel) => {
    if (channel === "WALLET_A" || channel === payChannelNames.WALLET_A) return texts.WALLET_A;
    if (channel === "WALLET_B" || channel === payChannelNames.WALLET_B) return texts.WALLET_B;
    return channel;
  };
}

/** A payment channel, with its name on the wire in small type. */
export function ChannelOnWire({ channel }: { readonly channel: string }) {
  const name = useChannelName();
  return (
    <>
      {name(channel)} <small className="muted mono">{channel}</small>
    </>
  );
}
