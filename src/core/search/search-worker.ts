import { parentPort, workerData } from 'node:worker_threads';
import { packed } from '#core/search/parcel';
import { createSearchRoom, type RoomAnswer, type RoomMessage, type RoomOptions } from '#core/search/search-room';
import { realDisk } from '#core/storage/disk';

/** The program of the thread that searches: it says once that it is there, answers `find`, hears `changed`, and ends with `close`. */
const room = createSearchRoom(realDisk, workerData as RoomOptions);

parentPort?.on('message', (message: RoomMessage) => {
  if (message.kind === 'changed') room.changed(message.paths);
  else if (message.kind === 'find') answer(message);
  else {
    room.close();
    parentPort?.close();
  }
});

parentPort?.postMessage('ready');

function answer({ id, request }: Extract<RoomMessage, { kind: 'find' }>): void {
  try {
    const parcel = packed(room.find(request, () => parentPort?.postMessage({ id, looked: true } satisfies RoomAnswer)));
    parentPort?.postMessage({ id, parcel } satisfies RoomAnswer, [parcel.numbers.buffer]);
  } catch (error) {
    parentPort?.postMessage({ id, failure: String(error) } satisfies RoomAnswer);
  }
}
