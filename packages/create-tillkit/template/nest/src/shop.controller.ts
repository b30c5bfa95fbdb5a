import { Controller, Get, Inject, Param, Post } from "@nestjs/common";
import type { Shop } from "./shop.ts";

@Controller()
export class ShopController {
  constructor(@Inject("shop") private readonly shop: Shop) {}

  // Take the customer from your log-in instead of the path.
  @Post("buy/:customer")
  buy(@Param("customer") customer: string) {
    return this.shop.buy({ customerIdentity: customer });
  }

  @Get("bought/:customer/:bizNo")
  bought(@Param("customer") customer: string, @Param("bizNo") bizNo: string) {
    return this.shop.check(customer, bizNo);
  }
}
