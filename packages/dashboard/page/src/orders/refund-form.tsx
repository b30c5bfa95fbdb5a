import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Button, Form } from "react-aria-components";
import { api, type Schema, valueOf } from "../api/client.js";
import { useTexts } from "../language/catalogue.js";
import { centsOf, decimalOf, formatMoney, formatNumber } from "../language/format.js";
import { useLanguage } from "../language/language.js";
import { Failure } from "../ui/failure.js";
import { Field } from "../ui/field.js";
import { UI_TEXTS } from "../ui/messages.js";
import type { OrderPage } from "./queries.js";
import { RefundConfirmation } from "./refund-confirmation.js";
import { REFUND_TEXTS } from "./refund-messages.js";

interface RefundFormProps {
  readonly page: OrderPage;
  readonly refundNo: string;
  readonly onClose: () => void;
}

/** The steps of a refund: amount, check by the server, typed confirmation, outcome. */
export function RefundForm({ page, refundNo, onClose }: RefundFormProps) {
  const { appId, bizNo } = page.order;
  const path = { appId, bizNo };
  const client = useQueryClient();
  const check = useMutation({
    mutationFn: (amount: number) =>
      valueOf(
        api.POST("/api/orders/{appId}/{bizNo}/refunds/dry-run", {
          params: { path },
          body: { refundNo, amount },
        }),
      ),
  });
  const refund = useMutation({
    mutationFn: ({ amount, reason }: { readonly amount: number; readonly reason: string }) =>
      valueOf(
        api.POST("/api/orders/{appId}/{bizNo}/refunds", {
          params: { path },
          body: { refundNo, amount, reason },
        }),
      ),
    onSettled: () => client.invalidateQueries({ queryKey: ["order", appId, bizNo] }),
  });
  if (refund.data !== undefined) return <Outcome outcome={refund.data.outcome} onClose={onClose} />;
  if (check.data === undefined) {
    return <AmountStep remaining={page.remaining} check={check} onClose={onClose} />;
  }
  return (
    <RefundConfirmation
      {...{ dryRun: check.data, refundNo, refund }}
      onBack={() => {
        refund.reset();
        check.reset();
      }}
    />
  );
}

interface AmountStepProps {
  readonly remaining: number;
  readonly check: {
    readonly mutate: (amount: number) => void;
    readonly error: unknown;
    readonly isPending: boolean;
    readonly data: Schema<"RefundDryRun"> | undefined;
  };
  readonly onClose: () => void;
}

function AmountStep({ remaining, check, onClose }: AmountStepProps) {
  const texts = useTexts(REFUND_TEXTS);
  const ui = useTexts(UI_TEXTS);
  const language = useLanguage();
  const [typed, setTyped] = useState<string>(decimalOf(remaining));
  const amount = centsOf(typed);
  const max = texts.cents(formatMoney(remaining, language), formatNumber(remaining, language));
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault();
        if (amount !== undefined) check.mutate(amount);
      }}
    >
      <Field
        {...{ label: texts.amount, value: typed, onChange: setTyped, inputMode: "decimal" }}
        help={texts.amountHelp(max)}
        isInvalid={amount === undefined}
        isRequired
        autoFocus
      />
      {amount === undefined && <p className="field-error">{texts.invalid}</p>}
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
  readonly outcome: Schema<"RequestedRefund">["outcome"];
  readonly onClose: () => void;
}

function Outcome({ outcome, onClose }: OutcomeProps) {
  const texts = useTexts(REFUND_TEXTS);
  const ui = useTexts(UI_TEXTS);
  return (
    <>
      <p role="status">{texts[outcome === "waiting-for-approval" ? "waiting" : outcome]}</p>
      <div className="dialog-actions">
        <Button className="button" onPress={onClose} autoFocus>
          {ui.close}
        </Button>
      </div>
    </>
  );
}
