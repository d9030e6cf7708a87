import { startDueWorkSweep } from './features/learning/due-work-sweep.server'
import { startDemoHistory } from './features/learning/profile/demo-history.server'
import { runProduct } from './server/main.server'

/** The product as a program: the server, and what the features do without being asked. */
export function run(development?: Parameters<typeof runProduct>[1]): Promise<void> {
  return runProduct([startDemoHistory, startDueWorkSweep], development)
}
