import type { Ports, SmsSender } from "@tillkit/core";
import { type Surface, withConcurrencyLimit } from "@tillkit/core/http";
import { failover, type ReceiptsOptions, receiptsSurface } from "@tillkit/sms";
import { aliyunSmsSender } from "@tillkit/sms/aliyun";
import { tencentSmsSender } from "@tillkit/sms/tencent";
import { twilioSmsSender } from "@tillkit/sms/twilio";
import { type Carrier, readSmsCarriers } from "./sms-carriers-file.js";

/** The carriers of the host. */
export interface SmsCarriers {
  readonly smsSender: SmsSender;
  /** Receives the delivery receipts of the carriers. */
  readonly receipts: Surface;
}

/**
 * Opens the carriers of a file. The host tries them in the order of the file.
 *
 * Throws if the file cannot be read or used, or if the SDK of a carrier is not installed. No
 * message contains a value of the file.
 */
export async function openSmsCarriers(
  path: string | undefined,
  ports: Pick<Ports, "clock" | "observer">,
): Promise<SmsCarriers | undefined> {
  if (path === undefined) return undefined;
  const carriers = await readSmsCarriers(path);
  const senders = await Promise.all(
    carriers.map((carrier, index) => openCarrier(carrier, `${path}, [${index}]`)),
  );
  const { observer } = ports;
  const options = carriers
    .map(receiptsOf)
    .reduce<ReceiptsOptions>((all, one) => ({ ...all, ...one }), { observer });
  return {
    smsSender: failover(senders),
    receipts: withConcurrencyLimit(ports, receiptsSurface(options)),
  };
}

/**
 * Returns the options of a carrier for its receipts.
 *
 * If several entries of one carrier have such options, `readSmsCarriers` has checked that they are
 * equal.
 */
function receiptsOf(carrier: Carrier): Omit<ReceiptsOptions, "observer"> {
  if (carrier.carrier === "twilio") {
    const { authToken, statusCallback: url } = carrier;
    return url === undefined ? {} : { twilio: { authToken, url } };
  }
  const { receiptSecret: secret } = carrier;
  return secret === undefined ? {} : { [carrier.carrier]: { secret } };
}

/** Opens a carrier. An error about its options names its `place` in the file. */
async function openCarrier(carrier: Carrier, place: string): Promise<SmsSender> {
  try {
    switch (carrier.carrier) {
      case "aliyun":
        return await aliyunSmsSender(carrier);
      case "tencent":
        return await tencentSmsSender(carrier);
      case "twilio":
        return await twilioSmsSender(carrier);
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new RangeError(`The SMS carriers file ${place} is not valid: ${error.message}`);
  }
}
