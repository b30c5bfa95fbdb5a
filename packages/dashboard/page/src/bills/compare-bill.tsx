import { Button } from "react-aria-components";
import type { Schema } from "../api/routes.js";
import { useChange } from "../api/use-change.js";
import { useTexts } from "../language/catalogue.js";
import { formatNumber } from "../language/format.js";
import { useLanguage } from "../language/language.js";
import { useMay } from "../session/session-context.js";
import { Failure } from "../ui/failure.js";
import { BILLS_TEXTS } from "./messages.js";

const PATH = "/api/bill-days/{day}/{payChannel}/{appEnv}/{accountId}/compare";

interface CompareBillProps {
  readonly billDay: Pick<Schema<"BillDay">, "day" | "payChannel" | "appEnv" | "accountId" | "compared">;
}

/**
 * Compares a bill that no run has compared. No money moves, so it needs no confirmation.
 *
 * Its result stays beside the row until the view closes. A lost answer is shown above the view.
 */
export function CompareBill({ billDay }: CompareBillProps) {
  const { payChannel, appEnv, accountId, day, compared } = billDay;
  const texts = useTexts(BILLS_TEXTS);
  const language = useLanguage();
  const may = useMay();
  const change = useChange(PATH, { path: { payChannel, appEnv, accountId, day } }, () => undefined);
  const { data, error, isPending, lost } = change;
  if (!may("bill-day.compare") || (compared && data === undefined)) return null;
  return (
    <div className="compare-bill">
      {!compared && (
        <Button
          className="button"
          aria-label={texts.compareOf(day, accountId)}
          isDisabled={isPending || lost !== undefined}
          onPress={() => change.mutate(undefined)}
        >
          {texts.compare}
        </Button>
      )}
      <span role="status">
        {isPending && texts.comparing}
        {data !== undefined && texts.comparedNow(formatNumber(data.open, language))}
      </span>
      {error !== null && <Failure error={error} />}
    </div>
  );
}
