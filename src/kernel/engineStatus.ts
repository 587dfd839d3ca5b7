// As `exceptionCodeToHTTPStatus` of ClickHouse's server, for the codes that occur here.
const BAD_REQUEST = [6, 26, 27, 36, 38, 41, 42, 43, 44, 47, 53, 62, 69, 70, 72, 117, 130, 131, 395, 456, 457]
const NOT_FOUND = [16, 46, 50, 60, 73, 81, 115]
const FORBIDDEN = [164, 192, 193, 194, 497, 516]

/** HTTP status of an error of ClickHouse by its number. */
export function engineStatus(code: number): number {
  if (BAD_REQUEST.includes(code)) return 400
  if (FORBIDDEN.includes(code)) return 403
  if (NOT_FOUND.includes(code)) return 404
  if (code === 48) return 501
  if (code === 202) return 503
  if (code === 159) return 408
  return 500
}
