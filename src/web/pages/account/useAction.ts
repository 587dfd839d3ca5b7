import { useState } from 'react'
import { wordsOf } from '../../people/askPerson.ts'

/** Something that is asked of the server on a press: whether it is under way, and why it was refused. */
export function useAction() {
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const run = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true)
    setFailure(undefined)
    try {
      await work()
    } catch (error) {
      setFailure(wordsOf(error))
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, failure, run }
}
