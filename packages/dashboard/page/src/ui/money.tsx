import { formatMoney } from "../language/format.js";
import { useLanguage } from "../language/language.js";

/** An amount of cents as money. */
export function Money({ cents }: { readonly cents: number }) {
  const language = useLanguage();
  return <span className="money">{formatMoney(cents, language)}</span>;
}
