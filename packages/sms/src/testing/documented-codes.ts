/** The codes that a carrier documents, as words. */
interface DocumentedCodes {
  /** After such a code, the carrier has sent nothing. */
  readonly rejected: string;
  /** After such a code, the carrier may have sent the message. */
  readonly unknown: string;
}

/**
 * Every documented code of each carrier with its meaning, independent of the adapters' tables.
 *
 * A message goes to another carrier only after a rejection. So a wrong meaning sends a login code
 * twice, or not at all.
 */
export const DOCUMENTED = {
  aliyun: {
    rejected: `
      ACCOUNT_ILLEGAL ACCOUNT_NOT_EXISTS AMOUNT_NOT_ENOUGH BLACK_KEY_CONTROL_LIMIT
      BUSINESS_LIMIT_CONTROL_MINUTE BUSINESS_LIMIT_CONTROL_PHONE CONTENT_MISSING_PARAMETERS
      FORBIDDEN_ACTION Forbidden.RAM INVALID_JSON_PARAM INVALID_PARAMETERS INVALID_SENDERID
      IncompleteSignature InvalidAccessKeyId.Inactive InvalidAccessKeyId.NotFound
      InvalidAction.NotFound InvalidParameter InvalidSecurityToken.Expired
      InvalidTimeStamp.Expired InvalidTimeStamp.Format InvalidVersion MOBILE_COUNT_OVER_LIMIT
      MOBILE_NUMBER_ILLEGAL MissingParameter NOT_SUPPORTED_COUNTRY OUT_OF_SERVICE PARAMS_ILLEGAL
      PARAM_LENGTH_LIMIT PRODUCT_NOT_SUBSCRIBED QPS_LIMIT_CONTROL RAM_PERMISSION_DENY
      SMS_CONTENT_CODE_ILLEGAL SMS_CONTENT_ILLEGAL SMS_SECURITY_INTERCEPTED SMS_SIGN_NAME_ILLEGAL
      SignatureDoesNotMatch Throttling Throttling.Api Throttling.User UnsupportedHTTPMethod
      isp.RAM_PERMISSION_DENY isv.ACCOUNT_ABNORMAL isv.ACCOUNT_NOT_EXISTS isv.AMOUNT_NOT_ENOUGH
      isv.BLACK_KEY_CONTROL_LIMIT isv.BUSINESS_LIMIT_CONTROL isv.BUSINESS_LIMIT_DAY
      isv.BUSINESS_LIMIT_HOUR isv.CODE_ERROR isv.CODE_EXCEED_LIMIT isv.CONTENT_MISSING_PARAMETERS
      isv.COUNTRY_RESTRICTED isv.CUSTOMER_REFUSED isv.DAY_LIMIT_CONTROL isv.DENY_IP_RANGE
      isv.DOMESTIC_NUMBER_NOT_SUPPORTED isv.EXTEND_CODE_ERROR isv.FORBIDDEN_ACTION
      isv.INVALID_JSON_PARAM isv.INVALID_PARAMETERS isv.MOBILE_COUNT_OVER_LIMIT
      isv.MOBILE_NUMBER_ILLEGAL isv.MONTH_LIMIT_CONTROL isv.NOT_SUPPORTED_COUNTRY
      isv.ONE_CODE_MULTIPLE_SIGN isv.OUT_OF_SERVICE isv.PARAM_LENGTH_LIMIT
      isv.PARAM_NOT_SUPPORT_URL isv.PHONE_NUMBER_COUNT_OVER_LIMIT isv.PHONE_NUMBER_ILLEGAL
      isv.PRODUCT_UNSUBSCRIBE isv.PRODUCT_UN_SUBSCRIPT isv.RAM_CHECK_FAILED
      isv.SECURITY_FROZEN_ACCOUNT isv.SENDERID_ERROR isv.SIGNATURE_BLACKLIST isv.SIGN_NAME_ILLEGAL
      isv.SIGN_OVER_LIMIT isv.SIGN_SOURCE_ILLEGAL isv.SIGN_STATE_ILLEGAL
      isv.SMS_CONTENTCODE_ILLEGAL isv.SMS_CONTENT_CODE_ILLEGAL isv.SMS_CONTENT_ILLEGAL
      isv.SMS_CONTENT_MISMATCH_TEMPLATE_TYPE isv.SMS_OVER_LIMIT isv.SMS_SIGNATURE_ILLEGAL
      isv.SMS_SIGNATURE_SCENE_ILLEGAL isv.SMS_SIGN_EMOJI_ILLEGAL isv.SMS_SIGN_ILLEGAL
      isv.SMS_SIGN_NAME_ILLEGAL isv.SMS_TEMPLATE_ILLEGAL isv.SMS_TEST_NUMBER_LIMIT
      isv.SMS_TEST_SIGN_TEMPLATE_LIMIT isv.SMS_TEST_TEMPLATE_PARAMS_ILLEGAL
      isv.TEMPLATE_MISSING_PARAMETERS isv.TEMPLATE_OVER_LIMIT isv.TEMPLATE_PARAMS_ILLEGAL
      isv.UNSUPPORTED_CONTENT template_parameter_count_illegal`,
    unknown: `
      DATA_NOT_EXIST IS_CLOSE InternalError ONLINE_BILLING_FAILED PORT_NOT_REGISTERED SYSTEM_ERROR
      ServiceUnavailable SignatureNonceUsed isp.GATEWAY_ERROR isp.RES_OWNER_ID_UNKNOWN
      isp.SYSTEM_ERROR isp.UNKNOWN isv.BILLING_DEDUCTION_ERROR isv.DATA_NOT_EXIST`,
  },
  tencent: {
    rejected: `
      ActionOffline AuthFailure.InvalidAuthorization AuthFailure.InvalidSecretId
      AuthFailure.MFAFailure AuthFailure.SecretIdNotFound AuthFailure.SignatureExpire
      AuthFailure.SignatureFailure AuthFailure.TokenFailure AuthFailure.UnauthorizedOperation
      DryRunOperation FailedOperation.ContainSensitiveWord FailedOperation.FailResolvePacket
      FailedOperation.InsufficientBalanceInSmsPackage FailedOperation.JsonParseFail
      FailedOperation.MarketingSendTimeConstraint FailedOperation.MissingSignature
      FailedOperation.MissingSignatureList FailedOperation.MissingTemplateList
      FailedOperation.NotEnterpriseCertification FailedOperation.PhoneNumberInBlacklist
      FailedOperation.PhoneNumberParseFail FailedOperation.SignatureIncorrectOrUnapproved
      FailedOperation.TemplateIncorrectOrUnapproved
      FailedOperation.TemplateParamSetNotMatchApprovedTemplate
      FailedOperation.TemplateUnapprovedOrNotExist InternalError.JsonParseFail
      InternalError.RequestTimeException InternalError.RestApiInterfaceNotExist
      InternalError.SigFieldMissing InternalError.SigVerificationFail InvalidAction
      InvalidParameter InvalidParameter.AppidAndBizId InvalidParameter.DirtyWordFound
      InvalidParameter.InvalidParameters InvalidParameterValue
      InvalidParameterValue.ContentLengthLimit InvalidParameterValue.IncorrectPhoneNumber
      InvalidParameterValue.ProhibitedUseUrlInTemplateParameter
      InvalidParameterValue.SdkAppIdNotExist InvalidParameterValue.TemplateParameterFormatError
      InvalidParameterValue.TemplateParameterLengthLimit InvalidRequest IpInBlacklist
      IpNotInWhitelist LimitExceeded LimitExceeded.AppCountryOrRegionDailyLimit
      LimitExceeded.AppCountryOrRegionInBlacklist LimitExceeded.AppDailyLimit
      LimitExceeded.AppGlobalDailyLimit LimitExceeded.AppMainlandChinaDailyLimit
      LimitExceeded.DailyLimit LimitExceeded.DeliveryFrequencyLimit
      LimitExceeded.PhoneNumberCountLimit LimitExceeded.PhoneNumberDailyLimit
      LimitExceeded.PhoneNumberOneHourLimit LimitExceeded.PhoneNumberSameContentDailyLimit
      LimitExceeded.PhoneNumberThirtySecondLimit MissingParameter
      MissingParameter.EmptyPhoneNumberSet NoSuchProduct NoSuchVersion RequestLimitExceeded
      RequestLimitExceeded.GlobalRegionUinLimitExceeded RequestLimitExceeded.IPLimitExceeded
      RequestLimitExceeded.UinLimitExceeded RequestSizeLimitExceeded ResourceNotFound
      UnauthorizedOperation UnauthorizedOperation.IndividualUserMarketingSmsPermissionDeny
      UnauthorizedOperation.RequestIpNotInWhitelist UnauthorizedOperation.RequestPermissionDeny
      UnauthorizedOperation.SdkAppIdIsDisabled UnauthorizedOperation.SerivceSuspendDueToArrears
      UnauthorizedOperation.ServiceSuspendDueToArrears UnauthorizedOperation.SmsSdkAppIdVerifyFail
      UnknownParameter UnsupportedOperation UnsupportedOperation.
      UnsupportedOperation.ChineseMainlandTemplateToGlobalPhone
      UnsupportedOperation.ContainDomesticAndInternationalPhoneNumber
      UnsupportedOperation.GlobalTemplateToChineseMainlandPhone
      UnsupportedOperation.UnsuportedRegion UnsupportedOperation.UnsupportedRegion
      UnsupportedProtocol UnsupportedRegion`,
    unknown: `
      FailedOperation FailedOperation.OtherError FailedOperation.ParametersOtherError
      InternalError InternalError.OtherError InternalError.ParseBackendResponseFail
      InternalError.SendAndRecvFail InternalError.Timeout InternalError.UnknownError ResourceInUse
      ResourceInsufficient ResourceUnavailable ResponseSizeLimitExceeded ServiceUnavailable`,
  },
  twilio: {
    rejected: `
      10001 10002 20001 20003 20004 20005 20006 20008 20010 20011 20012 20403 20404 20410 20413
      20422 20423 20426 20429 21210 21211 21212 21214 21217 21219 21264 21265 21266 21267 21408
      21421 21470 21471 21472 21601 21602 21603 21604 21605 21606 21607 21608 21609 21610 21611
      21612 21613 21614 21615 21616 21617 21618 21620 21621 21622 21623 21624 21626 21627 21631
      21635 21649 21650 21652 21653 21654 21655 21656 21657 21658 21659 21660 21661 21662 21663
      21664 21665 21666 21667 21668 21701 21702 21703 21704 21705 21708 21709 21711 21713 21715
      21717 21900 21901 21910 63007 63031 63038`,
    unknown: `
      20409 20500 20503 21619`,
  },
} as const satisfies Record<string, DocumentedCodes>;
