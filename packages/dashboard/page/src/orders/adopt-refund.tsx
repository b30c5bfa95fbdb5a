import { useState } from "react";
import type { OrderKey } from "../api/order-key.js";
import { useChange } from "../api/use-change.js";
import { useTexts } from "../language/catalogue.js";
import { REMEDY_TEXTS } from "../refunds/remedy-messages.js";
import { useMay } from "../session/session-context.js";
import { Field } from "../ui/field.js";
import { ReasonDialog } from "../ui/reason-dialog.js";

/** Records a refund that somebody made at the payment channel. */
export function AdoptRefund({ appId, bizNo }: OrderKey) {
  const texts = useTexts(REMEDY_TEXTS);
  const may = useMay();
  const [number, setNumber] = useState("");
  const path = "/api/orders/{appId}/{bizNo}/refunds/adopt";
  const adopt = useChange(path, { path: { appId, bizNo } }, (reason: string) => ({
    walletRefundNo: number.trim(),
    reason,
  }));
  if (!may("refund.adopt")) return null;
  return (
    <ReasonDialog action={texts.adopt} title={texts.adoptTitle} change={adopt} onOpen={() => setNumber("")}>
      <p>{texts.adoptHelp}</p>
      <Field
        label={texts.adoptNumber}
        help={texts.adoptNumberHelp}
        value={number}
        onChange={setNumber}
        maxLength={64}
        isRequired
      />
    </ReasonDialog>
  );
}
