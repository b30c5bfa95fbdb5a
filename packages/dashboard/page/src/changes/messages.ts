import type { ChangePath } from "../api/routes.js";
import { type Catalogue, catalogue } from "../language/catalogue.js";

/** The sentence about a change whose answer was lost, for each kind of change. */
export const LOST_TEXTS = catalogue(
  {
    "/api/orders/{appId}/{bizNo}/sync":
      "It is not known whether the payment channel was asked about the order.",
    "/api/orders/{appId}/{bizNo}/close": "It is not known whether the order was closed.",
    "/api/orders/{appId}/{bizNo}/acknowledge": "It is not known whether the alarms were acknowledged.",
    "/api/orders/{appId}/{bizNo}/report-shipment":
      "It is not known whether the report of the delivery was requested.",
    "/api/orders/{appId}/{bizNo}/refunds": "It is not known whether the refund was made.",
    "/api/orders/{appId}/{bizNo}/refunds/{refundNo}/sync":
      "It is not known whether the payment channel was asked about the refund.",
    "/api/orders/{appId}/{bizNo}/refunds/{refundNo}/withdraw":
      "It is not known whether the refund was withdrawn.",
    "/api/orders/{appId}/{bizNo}/refunds/{refundNo}/pay-out":
      "It is not known whether the refund was paid out.",
    "/api/orders/{appId}/{bizNo}/refunds/{refundNo}/settle":
      "It is not known whether the refund was recorded as paid in another way. Do not pay the customer before it is recorded.",
    "/api/orders/{appId}/{bizNo}/refunds/adopt": "It is not known whether the refund was recorded.",
    "/api/customers/{appId}/{customerIdentity}/sessions/end":
      "It is not known whether the sessions were ended.",
    "/api/customers/{appId}/{customerIdentity}/erase": "It is not known whether the customer was erased.",
    "/api/customers/{appId}/{customerIdentity}/numbers/detach":
      "It is not known whether the phone number was detached.",
    "/api/customers/{appId}/{customerIdentity}/numbers/move":
      "It is not known whether the phone number was replaced.",
    "/api/customers/{appId}/{customerIdentity}/merge": "It is not known whether the customers were merged.",
    "/api/refund-approvals/{id}/approve": "It is not known whether the refund was approved and made.",
    "/api/refund-approvals/{id}/reject": "It is not known whether the refund was rejected.",
    "/api/bill-days/{day}/{payChannel}/{appEnv}/{accountId}/compare":
      "It is not known whether the bill was compared.",
    "/api/bill-exceptions/{id}/adopt":
      "It is not known whether the payment channel was asked about the exception.",
    "/api/bill-exceptions/{id}/assign": "It is not known whether the exception was assigned to the order.",
    "/api/bill-exceptions/{id}/not-ours": "It is not known whether the exception was closed.",
    "/api/bill-exceptions/{id}/resolve": "It is not known whether the exception was resolved.",
    "/api/bill-exceptions/resolve": "It is not known whether the exceptions were resolved.",
    "/api/setup/apps": "It is not known whether the app was created.",
    "/api/setup/apps/{appId}/rotate": "It is not known whether the secret was rotated.",
    "/api/setup/apps/{appId}/rules": "It is not known whether the identity rules were changed.",
    "/api/setup/apps/{appId}/disable": "It is not known whether the app was disabled.",
    "/api/setup/apps/{appId}/enable": "It is not known whether the app was enabled.",
    "/api/setup/service-types": "It is not known whether the service type was created.",
    "/api/apps/{appId}/service-types/{serviceTypeNo}/rename":
      "It is not known whether the service type was renamed.",
    "/api/apps/{appId}/service-types/{serviceTypeNo}/retire":
      "It is not known whether the service type was retired.",
    "/api/apps/{appId}/service-types/{serviceTypeNo}/restore":
      "It is not known whether the service type was restored.",
    "/api/setup/pay-tools/{id}/change": "It is not known whether the pay tool was changed.",
    "/api/setup/downloads-clients/{clientId}/limit": "It is not known whether the limit was changed.",
    "/api/setup/downloads-clients/{clientId}/disable": "It is not known whether the client was disabled.",
    "/api/setup/downloads-clients/{clientId}/enable": "It is not known whether the client was enabled.",
    "/api/setup/downloads-clients/{clientId}/rotate": "It is not known whether the client has a new id.",
    "/api/setup/downloads-clients": "It is not known whether the client was created.",
    "/api/setup/stores": "It is not known whether the store was added.",
    "/api/setup/stores/{store}/alias": "It is not known whether the name was added.",
    "/api/setup/stores/{store}/rename": "It is not known whether the store was renamed.",
    "/api/setup/stores/{store}/merge": "It is not known whether the stores were merged.",
    "/api/downloads/set": "It is not known whether the counts were set.",
    "/api/downloads/delete": "It is not known whether the counts were deleted.",
    "/api/operators": "It is not known whether the account was created.",
    "/api/operators/{name}/role": "It is not known whether the role was changed.",
    "/api/operators/{name}/disable": "It is not known whether the account was disabled.",
    "/api/operators/{name}/enable": "It is not known whether the account was enabled.",
    "/api/operators/{name}/reset": "It is not known whether the account was reset.",
  },
  {
    "/api/orders/{appId}/{bizNo}/sync": "尚不确定是否已向支付渠道查询该订单。",
    "/api/orders/{appId}/{bizNo}/close": "尚不确定订单是否已关闭。",
    "/api/orders/{appId}/{bizNo}/acknowledge": "尚不确定告警是否已确认。",
    "/api/orders/{appId}/{bizNo}/report-shipment": "尚不确定上报发货信息的请求是否已提交。",
    "/api/orders/{appId}/{bizNo}/refunds": "尚不确定退款是否已发起。",
    "/api/orders/{appId}/{bizNo}/refunds/{refundNo}/sync": "尚不确定是否已向支付渠道查询该退款。",
    "/api/orders/{appId}/{bizNo}/refunds/{refundNo}/withdraw": "尚不确定该退款是否已撤回。",
    "/api/orders/{appId}/{bizNo}/refunds/{refundNo}/pay-out": "尚不确定该退款是否已重新打款。",
    "/api/orders/{appId}/{bizNo}/refunds/{refundNo}/settle": "尚不确定该退款是否已登记为线下退款。",
    "/api/orders/{appId}/{bizNo}/refunds/adopt": "尚不确定该退款是否已登记。",
    "/api/customers/{appId}/{customerIdentity}/sessions/end": "尚不确定会话是否已结束。",
    "/api/customers/{appId}/{customerIdentity}/erase": "尚不确定客户信息是否已删除。",
    "/api/customers/{appId}/{customerIdentity}/numbers/detach": "尚不确定手机号是否已解绑。",
    "/api/customers/{appId}/{customerIdentity}/numbers/move": "尚不确定手机号是否已更换。",
    "/api/customers/{appId}/{customerIdentity}/merge": "尚不确定客户是否已合并。",
    "/api/refund-approvals/{id}/approve": "尚不确定该退款是否已批准并发起。",
    "/api/refund-approvals/{id}/reject": "尚不确定该退款申请是否已驳回。",
    "/api/bill-days/{day}/{payChannel}/{appEnv}/{accountId}/compare": "尚不确定账单是否已核对。",
    "/api/bill-exceptions/{id}/adopt": "尚不确定是否已向支付渠道查询该差错。",
    "/api/bill-exceptions/{id}/assign": "尚不确定该差错是否已归属到订单。",
    "/api/bill-exceptions/{id}/not-ours": "尚不确定该差错是否已关闭。",
    "/api/bill-exceptions/{id}/resolve": "尚不确定该差错是否已处理。",
    "/api/bill-exceptions/resolve": "尚不确定这些差错是否已处理。",
    "/api/setup/apps": "尚不确定应用是否已创建。",
    "/api/setup/apps/{appId}/rotate": "尚不确定密钥是否已更换。",
    "/api/setup/apps/{appId}/rules": "尚不确定客户标识规则是否已修改。",
    "/api/setup/apps/{appId}/disable": "尚不确定应用是否已停用。",
    "/api/setup/apps/{appId}/enable": "尚不确定应用是否已启用。",
    "/api/setup/service-types": "尚不确定服务类型是否已创建。",
    "/api/apps/{appId}/service-types/{serviceTypeNo}/rename": "尚不确定服务类型是否已重命名。",
    "/api/apps/{appId}/service-types/{serviceTypeNo}/retire": "尚不确定服务类型是否已下架。",
    "/api/apps/{appId}/service-types/{serviceTypeNo}/restore": "尚不确定服务类型是否已恢复上架。",
    "/api/setup/pay-tools/{id}/change": "尚不确定收款配置是否已修改。",
    "/api/setup/downloads-clients/{clientId}/limit": "尚不确定额度是否已修改。",
    "/api/setup/downloads-clients/{clientId}/disable": "尚不确定客户端是否已停用。",
    "/api/setup/downloads-clients/{clientId}/enable": "尚不确定客户端是否已启用。",
    "/api/setup/downloads-clients/{clientId}/rotate": "尚不确定客户端的标识是否已更换。",
    "/api/setup/downloads-clients": "尚不确定客户端是否已创建。",
    "/api/setup/stores": "尚不确定商店是否已添加。",
    "/api/setup/stores/{store}/alias": "尚不确定别名是否已添加。",
    "/api/setup/stores/{store}/rename": "尚不确定商店是否已重命名。",
    "/api/setup/stores/{store}/merge": "尚不确定商店是否已合并。",
    "/api/downloads/set": "尚不确定数据是否已设置。",
    "/api/downloads/delete": "尚不确定数据是否已删除。",
    "/api/operators": "尚不确定账号是否已创建。",
    "/api/operators/{name}/role": "尚不确定角色是否已修改。",
    "/api/operators/{name}/disable": "尚不确定账号是否已停用。",
    "/api/operators/{name}/enable": "尚不确定账号是否已启用。",
    "/api/operators/{name}/reset": "尚不确定账号是否已重置。",
  },
) satisfies Catalogue<Record<ChangePath, string>>;

/** The kinds of change whose answer contains a secret, which cannot be looked up later. */
export const SECRET_ANSWERS: readonly string[] = [
  "/api/setup/apps",
  "/api/setup/apps/{appId}/rotate",
  "/api/operators",
  "/api/operators/{name}/reset",
] satisfies readonly ChangePath[];

/** The texts about a change whose answer was lost. */
export const CHANGES_TEXTS = catalogue(
  {
    title: "Changes without an answer",
    other: "It is not known whether the change was made.",
    asking: "The answer was lost. The page is asking the server…",
    silent: "The server does not respond. The page asks again by itself.",
    running: "The server is still making the change. The page asks again by itself.",
    none: "The server has not received the change so far. The page asks again by itself.",
    unknown:
      "The server began the change, and does not know whether it was made. Send it again: the server makes it at most once.",
    notArrived: "The change did not arrive at the server, and nothing was changed.",
    done: "The server has made the change.",
    refused: "The server refused the change.",
    failed: "The server could not make the change.",
    otherMade:
      "This change was not made. The change before it, which you gave up, arrived at the server after all and was made.",
    otherNotMade:
      "This change was not made. The change before it, which you gave up, arrived at the server after all and was not made either.",
    otherUnknown:
      "The change before this one, which you gave up, arrived at the server after all. It is not known which of the two was made: check before you go on.",
    retype: "The page does not keep secrets. Press “Do not send”, then enter the secret again.",
    secret:
      "The secret or password was only in the lost answer. Rotate the secret, or reset the account, to get a new one.",
    toApps: "Make a new secret",
    toOperators: "Make a new password",
    secretTitle: "The secret or password",
    ask: "Ask now",
    resend: "Send again",
    dismiss: "Do not send",
    close: "OK",
  },
  {
    title: "结果未知的操作",
    other: "尚不确定该操作是否已完成。",
    asking: "没有收到应答，正在向服务器查询……",
    silent: "服务器没有响应，页面会自动再次查询。",
    running: "服务器仍在处理，页面会自动再次查询。",
    none: "服务器目前还没有收到该操作，页面会自动再次查询。",
    unknown: "服务器已开始处理，但无法确定结果。请重新发送：同一操作最多只会执行一次。",
    notArrived: "该操作没有到达服务器，没有产生任何变更。",
    done: "服务器已完成该操作。",
    refused: "服务器拒绝了该操作。",
    failed: "服务器未能完成该操作。",
    otherMade: "本次操作没有执行。您此前放弃的那次操作后来到达了服务器，并已完成。",
    otherNotMade: "本次操作没有执行。您此前放弃的那次操作后来到达了服务器，但也没有完成。",
    otherUnknown: "您此前放弃的那次操作后来到达了服务器，尚不确定两次操作中哪一次已执行，请先核对。",
    retype: "页面不保存密钥。请放弃后重新填写。",
    secret: "密钥或密码只出现在丢失的应答中。请更换密钥或重置账号以获取新的。",
    toApps: "重新生成密钥",
    toOperators: "重新生成密码",
    secretTitle: "密钥或密码",
    ask: "立即查询",
    resend: "重新发送",
    dismiss: "放弃",
    close: "知道了",
  },
);
