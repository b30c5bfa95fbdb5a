import { useState } from "react";
import { Button, Form } from "react-aria-components";
import type { Schema } from "../api/routes.js";
import { useTexts } from "../language/catalogue.js";
import { centsOf, decimalOf, formatMoney } from "../language/format.js";
import { useLanguage } from "../language/language.js";
import { useChannelName } from "../ui/channel.js";
import { Failure } from "../ui/failure.js";
import { Field } from "../ui/field.js";
import { UI_TEXTS } from "../ui/messages.js";
import { OrderActivity } from "./order-activity.js";
import { REFUND_TEXTS } from "./refund-messages.js";

interface RefundConfirmationProps {
  readonly dryRun: Schema<"RefundDryRun">;
  readonly refundNo: string;
  readonly refund: {
    readonly mutate: (refund: {
      readonly refundNo: string;
      readonly amount: number;
      readonly reason: string;
      readonly seen: number;
    }) => void;
    readonly error: unknown;
    readonly isPending: boolean;
  };
  readonly onBack: () => void;
  readonly onCancel: () => void;
}

/** What the server would do, and the typed amount that confirms it. */
export function RefundConfirmation({ dryRun, refundNo, refund, onBack, onCancel }: RefundConfirmationProps) {
  const texts = useTexts(REFUND_TEXTS);
  const ui = useTexts(UI_TEXTS);
  const language = useLanguage();
  const channelName = useChannelName();
  const [typed, setTyped] = useState("");
  const [reason, setReason] = useState("");
  const { amount, remainingAfter, needsApproval, walletRequest, activity } = dryRun;
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault();
        if (centsOf(typed) === amount) refund.mutate({ refundNo, amount, reason, seen: activity.seen });
      }}
    >
      <dl className="facts">
        <div>
          <dt>{texts.will}</dt>
          <dd>{formatMoney(amount, language)}</dd>
        </div>
        <div>
          <dt>{texts.remains}</dt>
          <dd>{formatMoney(remainingAfter, language)}</dd>
        </div>
        <div>
          <dt>{texts.number}</dt>
          <dd className="mono">{refundNo}</dd>
        </div>
      </dl>
      <OrderActivity activity={activity} amount={amount} />
      {needsApproval && <p className="notice">{texts.approval}</p>}
      <details>
        <summary>
          {texts.wallet}: {channelName(walletRequest.wallet)}{" "}
          <small className="mono">{walletRequest.operation}</small>
        </summary>
        <pre>{walletRequest.body}</pre>
      </details>
      <Field
        label={ui.reason}
        help={ui.reasonHelp}
        value={reason}
        onChange={setReason}
        maxLength={200}
        isRequired
        isFocused
      />
      <Field
        label={texts.confirm(decimalOf(amount))}
        value={typed}
        onChange={setTyped}
        inputMode="decimal"
        autoComplete="off"
        isRequired
      />
      {refund.error !== null && <Failure error={refund.error} />}
      <div className="dialog-actions">
        <Button className="button quiet" onPress={onCancel} isDisabled={refund.isPending}>
          {ui.cancel}
        </Button>
        <Button className="button" onPress={onBack} isDisabled={refund.isPending}>
          {texts.back}
        </Button>
        <Button
          className="button danger"
          type="submit"
          isDisabled={centsOf(typed) !== amount || reason.trim() === ""}
          isPending={refund.isPending}
        >
          {needsApproval ? texts.request : texts.send}
        </Button>
      </div>
    </Form>
  );
}
