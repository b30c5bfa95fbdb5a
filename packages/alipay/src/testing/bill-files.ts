import { crc32, deflateRawSync } from "node:zlib";

const LINES =
  "#-----------------------------------------业务明细列表----------------------------------------";
const LINES_END =
  "#-----------------------------------------业务明细列表结束------------------------------------";
const SUMS = "#-----------------------------------------业务汇总列表----------------------------------------";
const SUMS_END =
  "#----------------------------------------业务汇总列表结束-------------------------------------";
const WRITTEN = "#导出时间：[2026年11月20日 05:46:49]";
const HEAD = [
  "#账号：[20881021196858380156]",
  "#起始日期：[2026年11月19日 00:00:00]   终止日期：[2026年11月20日 00:00:00]",
];

/** The header row of the lines, from published bills of merchants. */
export const COLUMNS =
  "支付宝交易号,商户订单号,业务类型,商品名称,创建时间,完成时间,门店编号,门店名称,操作员,终端号,对方账户,订单金额（元）,商家实收（元）,支付宝红包（元）,集分宝（元）,支付宝优惠（元）,商家优惠（元）,券核销金额（元）,券名称,商家红包消费金额（元）,卡消费金额（元）,退款批次号/请求号,服务费（元）,分润（元）,备注";

/** A payment of 1.00 with a seller's discount of 0.10. The name and the remark contain commas. */
export const PAYMENT =
  "2026111922001458860515315453\t,01JCXW9Z3K7Q2N5T8V0B4D6F1H\t,交易\t,VIP 会员, 30 天,2026-11-19 10:55:16,2026-11-19 10:55:23,\t,\t,\t,\t,*津水(602***@qq.com)\t,1.00,0.90,0.00,0.00,0.00,0.10,0.00,,0.00\t,0.00,\t,-0.01,0.00,a, b";

/** A refund of 0.50 of this payment, of which the seller paid 0.45. */
export const REFUND =
  "2026111922001458860515315453\t,01JCXW9Z3K7Q2N5T8V0B4D6F1H\t,退款\t,VIP 会员, 30 天,2026-11-19 10:55:16,2026-11-19 10:56:48,\t,\t,\t,\t,*津水(602***@qq.com)\t,-0.50,-0.45,0.00,0.00,0.00,-0.05,0.00,,0.00\t,0.00,R-1,0.00,0.00,a, b";

/** The totals of the payment and the refund. */
export const CLOSING = [
  "#交易合计：1笔，商家实收共0.90元，商家优惠共0.10元",
  "#退款合计：1笔，商家实收退款共-0.45元，商家优惠退款共-0.05元",
];

/** The detail file. */
export const DETAIL = [
  "#支付宝业务明细查询",
  ...HEAD,
  LINES,
  COLUMNS,
  PAYMENT,
  REFUND,
  LINES_END,
  ...CLOSING,
  WRITTEN,
];

/** The summary file. */
export const SUMMARY = [
  "#支付宝业务汇总查询",
  ...HEAD,
  SUMS,
  "门店编号,门店名称,交易订单总笔数,退款订单总笔数,订单金额（元）,商家实收（元）,支付宝优惠（元）,商家优惠（元）,卡消费金额（元）,服务费（元）,分润（元）,实收净额（元）",
  "合计\t,\t,1,1,0.50,0.45,0.00,0.05,0.00,-0.01,0.00,0.44",
  SUMS_END,
  WRITTEN,
];

const decoder = new TextDecoder("gbk");
const pairs = new Map<string, number>();
for (let pair = 0x8140; pair <= 0xfefe; pair += 1)
  pairs.set(decoder.decode(Uint8Array.of(pair >> 8, pair & 0xff)), pair);

/** Encodes a text in GBK. Node can only decode GBK. */
export function gbk(text: string): Uint8Array {
  const bytes = [...text].flatMap((character) => {
    const pair = pairs.get(character) ?? 0;
    return character < "\u0080" ? [character.charCodeAt(0)] : [pair >> 8, pair & 0xff];
  });
  return Uint8Array.from(bytes);
}

/** Creates a zip archive. `change` modifies the directory header of each file. */
export function archiveOf(
  files: readonly Uint8Array[],
  change: (header: DataView) => void = () => undefined,
): Uint8Array {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const bytes of files) {
    const packed = deflateRawSync(bytes);
    const header = (signature: number, length: number, at: number) => {
      const view = new DataView(new ArrayBuffer(length));
      view.setUint32(0, signature, true);
      view.setUint16(at + 4, 8, true);
      view.setUint32(at + 10, crc32(bytes), true);
      view.setUint32(at + 14, packed.length, true);
      view.setUint32(at + 18, bytes.length, true);
      return view;
    };
    const central = header(0x02014b50, 46, 6);
    central.setUint32(42, offset, true);
    change(central);
    directory.push(new Uint8Array(central.buffer));
    parts.push(new Uint8Array(header(0x04034b50, 30, 4).buffer), packed);
    offset += 30 + packed.length;
  }
  const end = new DataView(new ArrayBuffer(22));
  end.setUint32(0, 0x06054b50, true);
  end.setUint16(8, files.length, true);
  end.setUint16(10, files.length, true);
  end.setUint32(12, directory.length * 46, true);
  end.setUint32(16, offset, true);
  return Buffer.concat([...parts, ...directory, new Uint8Array(end.buffer)]);
}
