import { parentPort, workerData } from 'node:worker_threads'
import { type People, walkPeople } from './walkPeople.ts'

/** The body of a thread that walks through the days of some people: the counts are its one message. */
if (parentPort) parentPort.postMessage(walkPeople(workerData as People)) // given by `walkInThreads` alone
