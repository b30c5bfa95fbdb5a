import { useEffect, useState } from "react";
import { Button, Form } from "react-aria-components";
import type { Schema } from "../api/routes.js";
import { useChange } from "../api/use-change.js";
import { useCheck } from "../api/use-step.js";
import { focusNow } from "../app/focus.js";
import { UnlessLost } from "../changes/unless-lost.js";
import { useTexts } from "../language/catalogue.js";
import { centsOf, decimalOf, formatMoney } from "../language/format.js";
import { useLanguage } from "../language/language.js";
import { Failure } from "../ui/failure.js";
import { Field } from "../ui/field.js";
import { UI_TEXTS } from "../ui/messages.js";
import { OrderActivity } from "./order-activity.js";
import type { OrderPage } from "./queries.js";
import { RefundConfirmation } from "./refund-confirmation.js";
import { REFUND_TEXTS } from "./refund-messages.js";

interface RefundFormProps {
  readonly page: OrderPage;
  readonly onClose: () => void;
  /** Called when the page sends a refund, and when the answer has arrived. */
  readonly onBusy: (isBusy: boolean) => void;
}

/** What is sent for a refund. */
interface RefundInput {
  readonly refundNo: string;
  readonly amount: number;
  readonly reason: string;
  /** The last event of the order that the confirmation shows. */
  readonly seen: number;
}

/** The steps of a refund: amount, check by the server, typed confirmation, outcome. */
export function RefundForm({ page, onClose, onBusy }: RefundFormProps) {
  const { appId, bizNo } = page.order;
  const path = { appId, bizNo };
  const check = useCheck("/api/orders/{appId}/{bizNo}/refunds/dry-run", { path });
  const refund = useChange("/api/orders/{appId}/{bizNo}/refunds", { path }, (input: RefundInput) => input);
  useEffect(() => onBusy(refund.isPending), [onBusy, refund.isPending]);
  // The number is derived from the id of the intention, so a second press continues the same
  // refund.
  const refundNo = `op-${refund.nextId().slice(0, 24)}`;
  const back = () => {
    refund.reset();
    check.reset();
  };
  // The operator must confirm again if others have started something meanwhile.
  const isOutdated = refund.error?.failure === "refund.unseen-activity";
  const unseen = refund.error?.facts.activity;
  // Above the steps, so that a check after a refusal begins with the amount that was confirmed.
  const [typed, setTyped] = useState<string>(decimalOf(page.remaining));
  const [appeared, setAppeared] = useState<Schema<"OrderActivity">>();
  const checkedAmount = check.data?.amount;
  const checkAgain = check.mutate;
  const forget = refund.reset;
  useEffect(() => {
    if (!isOutdated || checkedAmount === undefined) return;
    setAppeared(unseen);
    forget();
    checkAgain({ refundNo, amount: checkedAmount });
  }, [isOutdated, unseen, checkedAmount, checkAgain, forget, refundNo]);
  if (refund.data !== undefined) {
    return <Outcome amount={checkedAmount ?? 0} outcome={refund.data.outcome} onClose={onClose} />;
  }
  return (
    <UnlessLost change={refund} onClose={onClose}>
      {check.data === undefined ? (
        <AmountStep
          remaining={page.remaining}
          typed={typed}
          onType={setTyped}
          appeared={appeared}
          check={{ ...check, mutate: (amount) => check.mutate({ refundNo, amount }) }}
          onClose={onClose}
        />
      ) : (
        <RefundConfirmation
          key={check.data.activity.seen}
          dryRun={check.data}
          refundNo={refundNo}
          refund={refund}
          onBack={back}
          onCancel={onClose}
        />
      )}
    </UnlessLost>
  );
}

interface AmountStepProps {
  readonly remaining: number;
  readonly typed: string;
  readonly onType: (typed: string) => void;
  /** What others have started since the operator confirmed. */
  readonly appeared: Schema<"OrderActivity"> | undefined;
  readonly check: {
    readonly mutate: (amount: number) => void;
    readonly error: unknown;
    readonly isPending: boolean;
    readonly data: Schema<"RefundDryRun"> | undefined;
  };
  readonly onClose: () => void;
}

function AmountStep({ remaining, typed, onType, appeared, check, onClose }: AmountStepProps) {
  const texts = useTexts(REFUND_TEXTS);
  const ui = useTexts(UI_TEXTS);
  const language = useLanguage();
  const amount = centsOf(typed);
  const max = formatMoney(remaining, language);
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault();
        if (amount !== undefined) check.mutate(amount);
      }}
    >
      <Field
        label={texts.amount}
        value={typed}
        onChange={onType}
        inputMode="decimal"
        help={texts.amountHelp(max)}
        isInvalid={amount === undefined}
        isRequired
        isFocused
      />
      {amount === undefined && <p className="field-error">{texts.invalid}</p>}
      {appeared !== undefined && <OrderActivity activity={appeared} amount={amount ?? 0} />}
      {check.error !== null && <Failure error={check.error} />}
      <div className="dialog-actions">
        <Button className="button" onPress={onClose}>
          {ui.cancel}
        </Button>
        <Button className="button primary" type="submit" isPending={check.isPending}>
          {texts.check}
        </Button>
      </div>
    </Form>
  );
}

interface OutcomeProps {
  /** In cents. */
  readonly amount: number;
  readonly outcome: Schema<"RequestedRefund">["outcome"];
  readonly onClose: () => void;
}

function Outcome({ amount, outcome, onClose }: OutcomeProps) {
  const texts = useTexts(REFUND_TEXTS);
  const ui = useTexts(UI_TEXTS);
  const money = formatMoney(amount, useLanguage());
  return (
    <>
      <p role="status">{texts[outcome === "waiting-for-approval" ? "waiting" : outcome](money)}</p>
      <div className="dialog-actions">
        <Button className="button" onPress={onClose} ref={focusNow}>
          {ui.close}
        </Button>
      </div>
    </>
  );
}
