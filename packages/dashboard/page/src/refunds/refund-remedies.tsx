import { useState } from "react";
import type { Schema } from "../api/routes.js";
import { useChange } from "../api/use-change.js";
import { useTexts } from "../language/catalogue.js";
import { formatMoney } from "../language/format.js";
import { useLanguage } from "../language/language.js";
import { useMay } from "../session/session-context.js";
import { Field } from "../ui/field.js";
import { ReasonDialog } from "../ui/reason-dialog.js";
import { Time } from "../ui/time.js";
import { REMEDY_TEXTS } from "./remedy-messages.js";
import { SyncRefund } from "./sync-refund.js";

const REFUND = "/api/orders/{appId}/{bizNo}/refunds/{refundNo}";

type Refund = Pick<
  Schema<"RefundOfOrder">,
  "appId" | "bizNo" | "refundNo" | "status" | "amount" | "remedies"
>;

/** What a person can do about a refund, according to the API. */
export function RefundRemedies({ refund }: { readonly refund: Refund }) {
  const texts = useTexts(REMEDY_TEXTS);
  const may = useMay();
  return (
    <div className="remedies">
      <SyncRefund {...refund} />
      {refund.remedies.map(({ remedy, until }) => {
        switch (remedy) {
          case "wait":
            return (
              until !== undefined && (
                <span key={remedy} className="muted">
                  {texts.nextTry} <Time at={until} />
                </span>
              )
            );
          case "withdraw":
            return may("refund.withdraw") && <WithdrawRefund key={remedy} refund={refund} />;
          case "settle":
            return may("refund.settle") && <SettleRefund key={remedy} refund={refund} />;
          default:
            return null;
        }
      })}
    </div>
  );
}

/** Ends a refund that the payment channel does not have. */
function WithdrawRefund({ refund: { appId, bizNo, refundNo, amount } }: { readonly refund: Refund }) {
  const texts = useTexts(REMEDY_TEXTS);
  const language = useLanguage();
  const path = { appId, bizNo, refundNo };
  const withdraw = useChange(`${REFUND}/withdraw`, { path }, (reason: string) => ({ reason }));
  return (
    <ReasonDialog action={texts.withdraw} title={texts.withdrawTitle(refundNo)} change={withdraw}>
      <p>{texts.withdrawHelp(formatMoney(amount, language))}</p>
    </ReasonDialog>
  );
}

/** Records that the customer was paid by other means. */
function SettleRefund({ refund: { appId, bizNo, refundNo, amount } }: { readonly refund: Refund }) {
  const texts = useTexts(REMEDY_TEXTS);
  const language = useLanguage();
  const [evidence, setEvidence] = useState("");
  const path = { appId, bizNo, refundNo };
  const settle = useChange(`${REFUND}/settle`, { path }, (reason: string) => ({
    reason,
    ...(evidence.trim() === "" ? {} : { evidence: evidence.trim() }),
  }));
  return (
    <ReasonDialog
      action={texts.settle}
      title={texts.settleTitle(refundNo)}
      label={texts.settleReason}
      change={settle}
      onOpen={() => setEvidence("")}
    >
      <p>{texts.settleHelp(formatMoney(amount, language))}</p>
      <Field
        label={texts.evidence}
        help={texts.evidenceHelp}
        value={evidence}
        onChange={setEvidence}
        maxLength={200}
      />
    </ReasonDialog>
  );
}
