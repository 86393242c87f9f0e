// Injected into every page. `world` is 'main' or 'preload'; both run this file, so that the
// page never shares an object with the preload script, as under contextIsolation.
// biome-ignore-all lint: plain script, evaluated as text
function electronDoubleRuntime(world) {
  const tag = '$electron-double';
  // Objects are numbered in the order in which both sides meet them, so that shared and cyclic references survive, as in a structured clone.
  function encode(value, fn) {
    const seen = new Map();
    const walk = (v) => {
      if (v === undefined) return { [tag]: 'undefined' };
      if (v === null || typeof v === 'string' || typeof v === 'boolean') return v;
      if (typeof v === 'number')
        return Number.isFinite(v) && !Object.is(v, -0) ? v : { [tag]: 'number', v: Object.is(v, -0) ? '-0' : String(v) };
      if (typeof v === 'bigint') return { [tag]: 'bigint', v: String(v) };
      if (typeof v === 'function' || typeof v === 'symbol' || typeof v.then === 'function') {
        if (fn && typeof v !== 'symbol') return fn(v);
        throw new Error('An object could not be cloned.');
      }
      if (seen.has(v)) return { [tag]: 'ref', v: seen.get(v) };
      seen.set(v, seen.size);
      if (v instanceof Date) return { [tag]: 'date', v: v.getTime() };
      if (v instanceof Error) return { [tag]: 'error', name: v.name, message: v.message };
      if (v instanceof Map) return { [tag]: 'map', v: [...v].map(([k, x]) => [walk(k), walk(x)]) };
      if (v instanceof Set) return { [tag]: 'set', v: [...v].map(walk) };
      if (v instanceof ArrayBuffer || ArrayBuffer.isView(v)) {
        const bytes = v instanceof ArrayBuffer ? new Uint8Array(v) : new Uint8Array(v.buffer, v.byteOffset, v.byteLength);
        let text = '';
        for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
        return { [tag]: 'bytes', v: btoa(text), buffer: v instanceof ArrayBuffer };
      }
      if (Array.isArray(v)) return v.map(walk);
      return { [tag]: 'object', v: Object.entries(v).map(([k, x]) => [k, walk(x)]) };
    };
    return walk(value);
  }
  function decode(value, fn) {
    const known = [];
    const keep = (made) => {
      known.push(made);
      return made;
    };
    const walk = (v) => {
      if (v === null || typeof v !== 'object') return v;
      if (Array.isArray(v)) {
        const made = keep([]);
        for (const x of v) made.push(walk(x));
        return made;
      }
      switch (v[tag]) {
        case 'object': {
          const made = keep({});
          for (const [k, x] of v.v)
            Object.defineProperty(made, k, { value: walk(x), writable: true, enumerable: true, configurable: true });
          return made;
        }
        case 'undefined':
          return undefined;
        case 'number':
          return Number(v.v);
        case 'bigint':
          return BigInt(v.v);
        case 'ref':
          return known[v.v];
        case 'date':
          return keep(new Date(v.v));
        case 'error':
          return keep(Object.assign(new Error(v.message), { name: v.name }));
        case 'map': {
          const made = keep(new Map());
          for (const [k, x] of v.v) made.set(walk(k), walk(x));
          return made;
        }
        case 'set': {
          const made = keep(new Set());
          for (const x of v.v) made.add(walk(x));
          return made;
        }
        case 'bytes': {
          const bytes = Uint8Array.from(atob(v.v), (c) => c.charCodeAt(0));
          return keep(v.buffer ? bytes.buffer : bytes);
        }
        default:
          return fn(v);
      }
    };
    return walk(value);
  }
  if (!world) return { encode, decode };

  // --- a synchronous, copying bridge between the two worlds, over DOM events ---
  const other = world === 'main' ? 'preload' : 'main';
  const functions = new Map();
  const pending = new Map();
  let next = 1;
  let reply;
  const post = (message) => document.dispatchEvent(new CustomEvent(`electron-double:${other}`, { detail: JSON.stringify(message) }));
  const pack = (value) =>
    encode(value, (v) => {
      const id = next++;
      if (typeof v === 'function') functions.set(id, v);
      else
        v.then(
          (x) => post({ op: 'settle', id, value: pack(x) }),
          (e) => post({ op: 'settle', id, error: pack(e) }),
        );
      return { [tag]: typeof v === 'function' ? 'function' : 'promise', id };
    });
  const unpack = (value) =>
    decode(value, (v) => {
      if (v[tag] === 'promise') return new Promise((resolve, reject) => pending.set(v.id, { resolve, reject }));
      return (...args) => {
        reply = undefined;
        post({ op: 'call', id: v.id, args: pack(args) });
        const { error, value: result } = reply ?? { value: undefined };
        if (error) throw unpack(error);
        return unpack(result);
      };
    });
  const freeze = (v) => {
    if (v && typeof v === 'object' && !(v instanceof Promise) && !ArrayBuffer.isView(v)) {
      Object.values(v).forEach(freeze);
      Object.freeze(v);
    }
    return v;
  };
  const exposed = [];
  document.addEventListener(`electron-double:${world}`, (event) => {
    const m = JSON.parse(event.detail);
    if (m.op === 'hello') for (const e of exposed.splice(0)) post(e);
    if (m.op === 'expose') {
      Object.defineProperty(globalThis, m.key, { value: freeze(unpack(m.api)), enumerable: true });
      post({ op: 'exposed', key: m.key });
    }
    if (m.op === 'exposed') exposed.splice(0, exposed.length, ...exposed.filter((e) => e.key !== m.key));
    if (m.op === 'call') {
      try {
        const value = functions.get(m.id)(...unpack(m.args));
        post({ op: 'result', value: pack(value) });
      } catch (error) {
        post({ op: 'result', error: pack(error instanceof Error ? error : new Error(String(error))) });
      }
    }
    if (m.op === 'result') reply = m;
    if (m.op === 'settle') {
      const p = pending.get(m.id);
      pending.delete(m.id);
      if (m.error) p?.reject(unpack(m.error));
      else p?.resolve(unpack(m.value));
    }
  });
  if (world === 'main') {
    post({ op: 'hello' });
    return;
  }

  // --- preload world: `electron` as a sandboxed preload sees it ---
  const send = globalThis.__electronDoubleSend; // CDP binding, present in this world only
  const listeners = new Map();
  const invokes = new Map();
  let invokeId = 1;
  const toMain = (message) => send(JSON.stringify(message));
  const ipcRenderer = {
    invoke(channel, ...args) {
      const id = invokeId++;
      const packed = encode(args);
      return new Promise((resolve, reject) => {
        invokes.set(id, { resolve, reject });
        toMain({ op: 'invoke', id, channel, args: packed });
      });
    },
    send: (channel, ...args) => toMain({ op: 'send', channel, args: encode(args) }),
    sendSync() {
      throw new Error('electron-double: ipcRenderer.sendSync is not modelled');
    },
    on(channel, listener) {
      listeners.set(channel, [...(listeners.get(channel) ?? []), listener]);
      return ipcRenderer;
    },
    once(channel, listener) {
      const once = (...args) => {
        ipcRenderer.off(channel, once);
        listener(...args);
      };
      return ipcRenderer.on(channel, once);
    },
    off(channel, listener) {
      listeners.set(
        channel,
        (listeners.get(channel) ?? []).filter((l) => l !== listener),
      );
      return ipcRenderer;
    },
    removeAllListeners(channel) {
      listeners.delete(channel);
      return ipcRenderer;
    },
  };
  ipcRenderer.removeListener = ipcRenderer.off;
  ipcRenderer.addListener = ipcRenderer.on;
  // --- ports: native ones for the page, whose other ends stand here and speak with the main process ---
  const held = new Map();
  const openPort = (id) => {
    const { port1, port2 } = new MessageChannel();
    held.set(id, port1);
    port1.addEventListener('message', ({ data, ports }) => {
      if (ports.length > 0) throw new Error('electron-double: ports sent through ports is not modelled');
      toMain({ op: 'port-message', id, data: encode(data) });
    });
    port1.addEventListener('close', () => {
      if (held.delete(id)) toMain({ op: 'port-close', id });
    });
    port1.start();
    return port2;
  };
  globalThis.__electronDoubleReceive = (text) => {
    const m = JSON.parse(text);
    if (m.op === 'event') {
      const event = { sender: ipcRenderer, ports: m.ports.map(openPort) };
      for (const l of [...(listeners.get(m.channel) ?? [])]) l(event, ...decode(m.args));
    }
    if (m.op === 'port-message') held.get(m.id)?.postMessage(decode(m.data));
    if (m.op === 'port-close') {
      held.get(m.id)?.close();
      held.delete(m.id);
    }
    if (m.op === 'reply') {
      const p = invokes.get(m.id);
      invokes.delete(m.id);
      if (m.error) p?.reject(new Error(m.error));
      else p?.resolve(decode(m.value));
    }
  };
  addEventListener('keydown', (e) => {
    // After the page's own handlers, as Electron offers unhandled keys to the menu.
    setTimeout(() => {
      if (!e.defaultPrevented) {
        toMain({ op: 'key', key: e.key, ctrl: e.ctrlKey, meta: e.metaKey, alt: e.altKey, shift: e.shiftKey });
      }
    });
  });
  const electron = {
    ipcRenderer,
    contextBridge: {
      exposeInMainWorld(key, api) {
        const message = { op: 'expose', key, api: pack(api) };
        exposed.push(message);
        post(message);
      },
    },
    webFrame: {},
    webUtils: {
      // A page has no files of a disk here: a test says where they would be, in an attribute that both worlds see.
      getPathForFile: (file) => JSON.parse(document.documentElement.dataset.electronDoublePaths ?? '{}')[file.name] ?? '',
    },
  };
  return (name) => {
    if (name === 'electron' || name === 'electron/renderer') return electron;
    throw new Error(`module not found: ${name}`); // as in a sandboxed preload
  };
}
