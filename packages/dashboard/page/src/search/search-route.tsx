import { createRoute, Navigate } from "@tanstack/react-router";
import type { Schema } from "../api/routes.js";
import { useRead } from "../api/use-read.js";
import { rootRoute } from "../app/root-route.js";
import { searchParams } from "../app/search-params.js";
import { catalogue, useTexts } from "../language/catalogue.js";
import { OrdersTable } from "../orders/orders-table.js";
import { RefundsTable } from "../refunds/refunds-table.js";
import { Loaded } from "../ui/loaded.js";
import { PageTitle } from "../ui/page-title.js";

const TEXTS = catalogue(
  {
    title: (q: string) => `Search: ${q}`,
    none: "Nothing was found.",
    searched: (fields: string) => `Searched: ${fields}.`,
    help: "Check the number for missing characters. The transaction number of WeChat Pay or Alipay exists only after the payment. The search covers only the apps that you may see.",
    refunds: "Refunds",
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
    more: "还有更多结果。请输入更准确的号码，或使用订单列表的筛选。",
    bizNo: "订单号",
    id: "商户订单号",
    walletTradeNo: "渠道交易号",
    customerIdentity: "客户",
    refundNo: "退款单号",
    walletRefundNo: "渠道退款单号",
  },
);

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
          if (only !== undefined && others.length === 0) {
            const { appId, bizNo } = only;
            return <Navigate to="/orders/$appId/$bizNo" params={{ appId, bizNo }} replace />;
          }
          return (
            <>
              {(items.length > 0 || refunds.length === 0) && (
                <OrdersTable rows={items} empty={<NothingFound searched={searched} />} />
              )}
              {refunds.length > 0 && (
                <>
                  <h2>{texts.refunds}</h2>
                  <RefundsTable rows={refunds} empty={null} />
                </>
              )}
              {more && <p className="muted">{texts.more}</p>}
            </>
          );
        }}
      </Loaded>
    </>
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
