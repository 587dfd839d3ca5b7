/** In which way STX or bitcoin were put to work. */
export const YIELD_WAYS = ['pool', 'direct', 'delegated', 'stake', 'bond'] as const
/** How it is known what was got. */
export const YIELD_BASES = ['payouts', 'shared_payouts', 'share', 'claims', 'unclaimed', 'unknown'] as const
