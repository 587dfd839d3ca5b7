import { useEffect, useState } from 'react'

/** The first name of an address; undefined without an address, without a name, and before it is known. */
export function useAddressName(address: string | null): string | undefined {
  const [known, setKnown] = useState<{ address: string; name: string | undefined }>()
  useEffect(() => {
    if (address === null) return
    let isOver = false
    // Without it the address stands there, as before.
    import('./readNames.ts')
      .then(({ readNames }) => readNames(address))
      .then(
        ({ names: [name] }) => {
          if (!isOver) setKnown({ address, name })
        },
        () => undefined,
      )
    return () => {
      isOver = true
    }
  }, [address])
  return known?.address === address ? known?.name : undefined
}
