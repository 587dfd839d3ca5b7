import { ask } from '../api.ts'
import { forgetSession } from './session.ts'

/** Ends the stored session if there is one, and the server's proof with it. */
export async function endSession(): Promise<void> {
  if (!forgetSession()) return
  try {
    await ask('/siws/session', { method: 'DELETE' })
  } catch (thrown) {
    // The proof then ends by itself; on screen nobody is connected any more.
    console.error('The server did not end the session of the wallet', thrown)
  }
}
