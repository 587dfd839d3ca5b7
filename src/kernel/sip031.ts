import { BOOT_ADDRESSES } from './stacks.ts'

/** The contract that SIP-031 mints to. Source: stacks-core `boot/sip-031.clar`. */
export const SIP031_CONTRACT = `${BOOT_ADDRESSES.mainnet}.sip-031`

/** Minted at activation, micro-STX: half claimable at once, half over 24 months. Source: the same. */
export const SIP031_ACTIVATION = {
  height: 907_740,
  mintUstx: 200_000_000_000_000n,
  vestingUstx: 100_000_000_000_000n,
  vestingMonths: 24,
  /** Bitcoin blocks after which a further part of what vests may be claimed. */
  vestingStepBlocks: 4383,
} as const

/**
 * Minted at the start of each tenure, by the Bitcoin height of the tenure; nothing where a Bitcoin block has none.
 * Source: stacks-core `stacks-common/src/types/mod.rs` (SIP031_EMISSION_INTERVALS_MAINNET).
 */
export const SIP031_EMISSION = [
  { fromHeight: 907_740, ustxPerTenure: 475_000_000n },
  { fromHeight: 960_300, ustxPerTenure: 1_140_000_000n },
  { fromHeight: 1_012_860, ustxPerTenure: 1_705_000_000n },
  { fromHeight: 1_065_420, ustxPerTenure: 1_305_000_000n },
  { fromHeight: 1_117_980, ustxPerTenure: 1_155_000_000n },
  { fromHeight: 1_170_540, ustxPerTenure: 0n },
] as const

/** The most that each step of the schedule can mint: its rate in every Bitcoin block. Micro-STX. */
export const emissionSteps = () =>
  SIP031_EMISSION.slice(0, -1).map(({ fromHeight, ustxPerTenure }, step) => {
    const toHeight = SIP031_EMISSION[step + 1]!.fromHeight - 1
    const blocks = toHeight - fromHeight + 1
    return { fromHeight, toHeight, blocks, ustxPerTenure, mostUstx: ustxPerTenure * BigInt(blocks) }
  })
