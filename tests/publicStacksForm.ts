import {
  type AuthField,
  type ClarityValue,
  type DecodedTransaction,
  decodeAddress,
  encodeValue,
  type MicroblockHeader,
  type Payload,
  type PostCondition,
  reprOf,
  type SpendingCondition,
} from '#chains/stacks/index.ts'
import {
  ANCHOR_MODES,
  AUTH_TYPES,
  FUNGIBLE_CODES,
  HASH_MODES,
  NON_FUNGIBLE_CODES,
  PAYLOAD_KINDS,
  POST_CONDITION_ASSETS,
  POST_CONDITION_MODES,
  TENURE_CHANGE_CAUSES,
} from '#kernel/stacks.ts'
import { encodePostConditions } from './encodeStacks.ts'

type Form = Record<string, unknown>

/** A decoded transaction in the words of the public codec (`hirosystems/stacks-encoding-native-js`), to be compared with its answers. */
export function publicForm(tx: DecodedTransaction): Form {
  const { origin, sponsor } = tx.auth
  const mode = codeOf(POST_CONDITION_MODES, tx.postConditionMode)
  return {
    tx_id: `0x${tx.txid}`,
    version: tx.version,
    chain_id: tx.chainId,
    auth: {
      type_id: codeOf(AUTH_TYPES, tx.auth.type),
      origin_condition: conditionForm(origin),
      ...(sponsor === null ? {} : { sponsor_condition: conditionForm(sponsor) }),
    },
    anchor_mode: codeOf(ANCHOR_MODES, tx.anchorMode),
    post_condition_mode: mode,
    post_conditions: tx.postConditions.map(publicPostCondition),
    post_conditions_buffer: hex(Buffer.concat([Buffer.of(mode), encodePostConditions(tx.postConditions)])),
    payload: { type_id: PAYLOAD_KINDS.indexOf(tx.payload.kind), ...payloadForm(tx.payload) },
  }
}

export function publicPostCondition(given: PostCondition): Form {
  const asset_info_id = codeOf(POST_CONDITION_ASSETS, given.assetType)
  const principal =
    given.principal === 'origin'
      ? { type_id: 1 }
      : principalForm(given.principal, { address: 2, contract: 3 })
  switch (given.assetType) {
    case 'NonFungible':
      return {
        asset_info_id,
        principal,
        asset: assetForm(given.asset),
        asset_value: publicValue(given.value),
        condition_code: codeOf(NON_FUNGIBLE_CODES, given.code),
        condition_name: given.code === 'Sends' ? 'sent' : 'not_sent',
      }
    case 'STX':
    case 'Fungible': {
      const isStx = 'amountUstx' in given
      const amount = isStx ? given.amountUstx : given.amount
      return {
        asset_info_id,
        principal,
        ...(isStx ? {} : { asset: assetForm(given.asset) }),
        condition_code: codeOf(FUNGIBLE_CODES, given.code),
        condition_name: FUNGIBLE_NAMES[given.code],
        amount: amount.toString(),
      }
    }
    default:
      throw new TypeError(`the public codec knows no ${given.assetType} post-condition`)
  }
}

export const publicValue = (value: ClarityValue): Form => ({
  repr: reprOf(value),
  hex: hex(encodeValue(value)),
  type_id: encodeValue(value)[0],
})

const FUNGIBLE_NAMES = {
  Equal: 'sent_equal_to',
  Greater: 'sent_greater_than',
  GreaterEqual: 'sent_greater_than_or_equal_to',
  Less: 'sent_less_than',
  LessEqual: 'sent_less_than_or_equal_to',
}

function conditionForm(given: SpendingCondition): Form {
  const common = {
    hash_mode: codeOf(HASH_MODES, given.hashMode),
    signer: addressForm(given.address),
    nonce: given.nonce.toString(),
    tx_fee: given.feeUstx.toString(),
  }
  if (given.isMultisig) {
    return { ...common, fields: given.fields.map(fieldForm), signatures_required: given.signaturesRequired }
  }
  return { ...common, key_encoding: given.isKeyCompressed ? 0 : 1, signature: hex(given.signature) }
}

function fieldForm({ kind, isKeyCompressed, bytes }: AuthField): Form {
  const type_id = (kind === 'signature' ? 2 : 0) + (isKeyCompressed ? 0 : 1)
  return { type_id, [kind]: hex(bytes) }
}

function payloadForm(given: Payload): Form {
  switch (given.kind) {
    case 'token_transfer':
      return {
        recipient: principalForm(given.recipient, { address: 5, contract: 6 }),
        amount: given.amountUstx.toString(),
        memo_hex: hex(given.memo),
      }
    case 'smart_contract':
      return { contract_name: given.contractName, code_body: given.source }
    case 'versioned_smart_contract':
      return {
        clarity_version: given.clarityVersion,
        contract_name: given.contractName,
        code_body: given.source,
      }
    case 'contract_call': {
      const [address = '', contract_name] = given.contract.split('.')
      const count = Buffer.alloc(4)
      count.writeUInt32BE(given.args.length)
      return {
        ...addressForm(address),
        contract_name,
        function_name: given.functionName,
        function_args: given.args.map(publicValue),
        function_args_buffer: hex(Buffer.concat([count, ...given.args.map(encodeValue)])),
      }
    }
    case 'poison_microblock':
      return {
        microblock_header_1: microblockForm(given.headers[0]),
        microblock_header_2: microblockForm(given.headers[1]),
      }
    case 'coinbase':
      return { payload_buffer: hex(given.data) }
    case 'coinbase_to_alt_recipient':
      return {
        payload_buffer: hex(given.data),
        recipient: principalForm(given.recipient, { address: 5, contract: 6 }),
      }
    case 'nakamoto_coinbase':
      return {
        payload_buffer: hex(given.data),
        recipient:
          given.recipient === null ? null : principalForm(given.recipient, { address: 5, contract: 6 }),
        vrf_proof: hex(given.vrfProof),
      }
    case 'tenure_change':
      return {
        tenure_consensus_hash: `0x${given.tenureConsensusHash}`,
        prev_tenure_consensus_hash: `0x${given.previousTenureConsensusHash}`,
        burn_view_consensus_hash: `0x${given.burnViewConsensusHash}`,
        previous_tenure_end: `0x${given.previousTenureEnd}`,
        previous_tenure_blocks: given.previousTenureBlocks,
        cause: TENURE_CHANGE_CAUSES.indexOf(given.cause),
        pubkey_hash: `0x${given.publicKeyHash}`,
      }
  }
}

function microblockForm(header: MicroblockHeader): Form {
  const sequence = Buffer.alloc(2)
  sequence.writeUInt16BE(header.sequence)
  const buffer = [
    Buffer.of(header.version),
    sequence,
    Buffer.from(header.previousBlock + header.txMerkleRoot, 'hex'),
    header.signature,
  ]
  return {
    buffer: hex(Buffer.concat(buffer)),
    version: header.version,
    sequence: header.sequence,
    prev_block: `0x${header.previousBlock}`,
    tx_merkle_root: `0x${header.txMerkleRoot}`,
    signature: hex(header.signature),
  }
}

function principalForm(text: string, types: { address: number; contract: number }): Form {
  const [address = '', contract_name] = text.split('.')
  return contract_name === undefined
    ? { type_id: types.address, ...addressForm(address) }
    : { type_id: types.contract, ...addressForm(address), contract_name }
}

function assetForm(text: string): Form {
  const [contract = '', asset_name] = text.split('::')
  const [contract_address, contract_name] = contract.split('.')
  return { contract_address, contract_name, asset_name }
}

function addressForm(address: string): Form {
  const { version, hash160 } = decodeAddress(address)
  return { address_version: version, address_hash_bytes: hex(hash160), address }
}

function codeOf(names: Readonly<Record<number, string>>, name: string): number {
  return Number(Object.keys(names).find(code => names[Number(code)] === name))
}

const hex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`
