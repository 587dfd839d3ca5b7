import { useLoads } from './useLoads.ts'

/** The name that the reader gave to an address, in words of their own; nothing where they gave none. */
export function OwnName({ address }: { address: string }) {
  const name = useLoads().aliases.get(address)
  return name === undefined ? null : <span title="The name that you gave to it">{`“${name}” `}</span>
}
