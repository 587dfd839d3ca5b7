import {
  BASE_LEVEL,
  LEAST_CONSTITUENTS,
  LEAST_FEE_DAYS,
  LEAST_VOLUME_DAYS,
  MOST_PRICE_AGE_DAYS,
  MOST_SUPPLY_AGE_DAYS,
  WINDOW_DAYS,
} from '#warehouse/views/indices.ts'
import type { MarketLimits } from './engine/market.ts'

/** How old figures may be at a rebalancing: what the views of indices say, for the builder. */
export const INDEX_LIMITS: MarketLimits = {
  priceAgeDays: MOST_PRICE_AGE_DAYS,
  supplyAgeDays: MOST_SUPPLY_AGE_DAYS,
  windowDays: WINDOW_DAYS,
  leastVolumeDays: LEAST_VOLUME_DAYS,
  leastFeeDays: LEAST_FEE_DAYS,
  leastConstituents: LEAST_CONSTITUENTS,
  baseLevel: BASE_LEVEL,
}
