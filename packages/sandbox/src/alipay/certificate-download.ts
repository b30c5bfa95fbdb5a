import { err, ok } from "neverthrow";
import * as z from "zod";
import type { Rotation } from "../rotation/rotation.js";
import { argument } from "./answers.js";
import { readContent } from "./biz-content.js";
import type { WalletBCall } from "./call.js";

/** The name of the method that downloads a certificate of Alipay. */
export const CERTIFICATE_METHOD = "alipay.open.app.alipaycert.download";

const content = z.object({ alipay_cert_sn: z.string().min(1).max(128) });

/**
 * Creates the method that returns a certificate of Alipay with its chain, as base64 of PEM text.
 */
export function certificateDownload(rotation: Pick<Rotation, "chainB">): WalletBCall {
  return {
    call: null,
    answer: (parameters) =>
      readContent(content, parameters).andThen(({ alipay_cert_sn: name }) => {
        const chain = rotation.chainB(name);
        return chain === undefined
          ? err(argument("invalid", "alipay-cert-sn"))
          : ok({ alipay_cert_content: Buffer.from(chain).toString("base64") });
      }),
  };
}
