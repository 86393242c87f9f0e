import { parentPort, workerData } from 'node:worker_threads';
import { createSearchRoom, type RoomMessage, type RoomOptions } from '#core/search/search-room';
import { realDisk } from '#core/storage/disk';

/** The program of the thread that searches: it says once that it is there, answers `find`, hears `changed`, and ends with `close`. */
const room = createSearchRoom(realDisk, workerData as RoomOptions);

parentPort?.on('message', (message: RoomMessage) => {
  if (message.kind === 'changed') room.changed(message.paths);
  else if (message.kind === 'find') parentPort?.postMessage({ id: message.id, ...answerTo(message) });
  else {
    room.close();
    parentPort?.close();
  }
});

parentPort?.postMessage('ready');

function answerTo({ request }: Extract<RoomMessage, { kind: 'find' }>) {
  try {
    return { part: room.find(request) };
  } catch (error) {
    return { failure: String(error) };
  }
}
