import { createRoute, Link, Navigate } from "@tanstack/react-router";
import type { Schema } from "../api/routes.js";
import { useRead } from "../api/use-read.js";
import { rootRoute } from "../app/root-route.js";
import { searchParams } from "../app/search-params.js";
import { isDay } from "../language/business-day.js";
import { catalogue, useTexts } from "../language/catalogue.js";
import { centsOf, decimalOf, formatMoney } from "../language/format.js";
import { useLanguage } from "../language/language.js";
import { OrdersTable } from "../orders/orders-table.js";
import { RefundsTable } from "../refunds/refunds-table.js";
import { useSession } from "../session/session-context.js";
import { Loaded } from "../ui/loaded.js";
import { PageTitle } from "../ui/page-title.js";

const TEXTS = catalogue(
  {
    title: (q: string) => `Search: ${q}`,
    none: "Nothing was found.",
    searched: (fields: string) => `Searched: ${fields}.`,
    help: "Check the number for missing characters. The transaction number of WeChat Pay or Alipay exists only after the payment. The search covers only the apps that you may see.",
    refunds: "Refunds",
    customer: (identity: string, app: string) =>
      `Customer ${identity} of ${app}: orders, services and sessions`,
    ofAmount: (money: string) => `Orders of ${money}`,
    ofDay: (day: string) => `Orders created on ${day}`,
    filter: "Find orders by time, amount or status",
    more: "More entries match. Search for another number, or use the filters of the list.",
    bizNo: "order number",
    id: "merchant order number",
    walletTradeNo: "transaction number of WeChat Pay or Alipay",
    customerIdentity: "customer",
    refundNo: "refund number",
    walletRefundNo: "refund number at WeChat Pay or Alipay",
  },
  {
    title: (q: string) => `搜索：${q}`,
    none: "没有找到结果。",
    searched: (fields: string) => `已搜索：${fields}。`,
    help: "请检查号码是否完整。渠道交易号在支付后才会产生。您无权查看的应用的订单不会出现在结果中。",
    refunds: "退款",
    customer: (identity: string, app: string) => `${app} 的客户 ${identity}：订单、服务和会话`,
    ofAmount: (money: string) => `金额为 ${money} 的订单`,
    ofDay: (day: string) => `${day} 创建的订单`,
    filter: "按时间、金额或状态查找订单",
    more: "还有更多结果。请输入更准确的号码，或使用订单列表的筛选。",
    bizNo: "订单号",
    id: "商户订单号",
    walletTradeNo: "渠道交易号",
    customerIdentity: "客户",
    refundNo: "退款单号",
    walletRefundNo: "渠道退款单号",
  },
);

/** A text that a person may have meant as yuan. Longer numbers are numbers of orders. */
const AMOUNT = /^(?:[¥￥]\s*)?\d{1,7}(?:\.\d{1,2})?$/;

/** The results of the search box. One hit opens the order. */
export const searchRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/search",
  validateSearch: searchParams("q"),
  component: SearchView,
});

function SearchView() {
  const { q = "" } = searchRoute.useSearch();
  const texts = useTexts(TEXTS);
  const query = useRead("/api/orders/search", { query: { q } });
  return (
    <>
      <PageTitle title={texts.title(q)} />
      <Loaded query={query}>
        {({ items, refunds, searched, more }) => {
          const [only, ...others] = [...items, ...refunds];
          // A stored answer may lack an order that was created since.
          if (only !== undefined && others.length === 0 && !query.isFetching) {
            const { appId, bizNo } = only;
            return <Navigate to="/orders/$appId/$bizNo" params={{ appId, bizNo }} replace />;
          }
          const isEmpty = items.length === 0 && refunds.length === 0;
          return (
            <>
              {!isEmpty && <Ways q={q} orders={items} />}
              {(items.length > 0 || refunds.length === 0) && (
                <OrdersTable rows={items} empty={<NothingFound searched={searched} />} />
              )}
              {refunds.length > 0 && (
                <>
                  <h2>{texts.refunds}</h2>
                  <RefundsTable rows={refunds} empty={null} />
                </>
              )}
              {isEmpty && <Ways q={q} orders={items} />}
              {more && <p className="muted">{texts.more}</p>}
            </>
          );
        }}
      </Loaded>
    </>
  );
}

interface WaysProps {
  readonly q: string;
  readonly orders: readonly Schema<"OrderRow">[];
}

/** Links to the customer, or to the list if the text is an amount or a day. */
function Ways({ q, orders }: WaysProps) {
  const texts = useTexts(TEXTS);
  const language = useLanguage();
  const { apps } = useSession();
  const typed = q.trim();
  const customers = orders.filter(
    ({ appId, customerIdentity }, nth) =>
      customerIdentity !== "" &&
      typed.includes(customerIdentity) &&
      orders.findIndex((one) => one.appId === appId) === nth,
  );
  const amount = AMOUNT.test(typed) ? centsOf(typed.replace(/^[¥￥]\s*/, "")) : undefined;
  return (
    <ul className="plain ways">
      {customers.map(({ appId, customerIdentity }) => (
        <li key={appId}>
          <Link to="/customers/$appId/$customerIdentity" params={{ appId, customerIdentity }}>
            {texts.customer(customerIdentity, apps.find((app) => app.appId === appId)?.name ?? appId)} →
          </Link>
        </li>
      ))}
      {amount !== undefined && (
        <li>
          <Link to="/orders" search={{ min: decimalOf(amount), max: decimalOf(amount) }}>
            {texts.ofAmount(formatMoney(amount, language))} →
          </Link>
        </li>
      )}
      {isDay(typed) && (
        <li>
          <Link to="/orders" search={{ from: typed, until: typed }}>
            {texts.ofDay(typed)} →
          </Link>
        </li>
      )}
      {orders.length === 0 && (
        <li>
          <Link to="/orders">{texts.filter} →</Link>
        </li>
      )}
    </ul>
  );
}

function NothingFound({ searched }: { readonly searched: Schema<"Matches">["searched"] }) {
  const texts = useTexts(TEXTS);
  return (
    <div role="status">
      <p>{texts.none}</p>
      <p className="muted">{texts.searched(searched.map((field) => texts[field]).join(" · "))}</p>
      <p className="muted">{texts.help}</p>
    </div>
  );
}
