/** Parameters of a request, and the digest of their signed text from an independent computation. */
export const REQUEST = {
  parameters: {
    method: "alipay.trade.app.pay",
    app_id: "2014072300007148",
    format: "JSON",
    charset: "utf-8",
    sign_type: "RSA2",
    sign: "is left out",
    timestamp: "2026-11-20 20:00:00",
    version: "1.0",
    notify_url: "https://svc.example/notify/alipay",
    return_url: "https://svc.example/return/alipay",
    app_auth_token: "",
    biz_content:
      '{"body":"VIP","out_trade_no":"01JCXW9Z3K7Q2N5T8V0B4D6F1H","product_code":"QUICK_MSECURITY_PAY","subject":"VIP 会员","total_amount":"1.00","time_expire":"2026-11-20 20:30:00"}',
  },
  sha256: "109c69e490e7e7a70606a5b9dc9dc80586d0db08b2fecfe4425a128868c2739c",
} as const;

/** Body of a notification, and the digest of its signed text from an independent computation. */
export const NOTIFICATION = {
  body: [
    "total_amount=2.00&buyer_id=2088102116773037&body=100%25+%E5%A4%A7%E4%B9%90%E9%80%8F%2B2.1",
    "trade_no=2016071921001003030200089909&refund_fee=0.00&notify_time=2016-07-19+14%3A10%3A49&subject=x",
    "charset=utf-8&notify_type=trade_status_sync&out_trade_no=0719141034-6418&trade_status=TRADE_SUCCESS",
    "version=1.0&app_id=2015102700040153&seller_id=2088102119685838&notify_id=4a91b7a78a503640467525113fb7d8bg8e",
  ].join("&"),
  sha256: "219aa072286dbe5ac213e454a3a19c1b293899b6debaccc0ee4a2c8295aef877",
} as const;
