import { useEffect, useState } from 'react'

/** The names of an address, asked for in the browser; where there is none, by whose word. */
export function AddressNames({ address }: { address: string }) {
  const [words, setWords] = useState('…')
  useEffect(() => {
    let isOver = false
    const say = (said: string) => {
      if (!isOver) setWords(said)
    }
    import('./readNames.ts')
      .then(({ readNames }) => readNames(address))
      .then(
        ({ names, from }) =>
          say(
            names.length > 0
              ? `${names.join(', ')}${from === 'node' ? ', from a Stacks node' : ''}`
              : from === 'node'
                ? 'None, from a Stacks node'
                : 'None in the indexed blocks. No node is configured',
          ),
        () => say('Unavailable: Stacks node unreachable'),
      )
    return () => {
      isOver = true
    }
  }, [address])
  return <span role="status">{words}</span>
}
